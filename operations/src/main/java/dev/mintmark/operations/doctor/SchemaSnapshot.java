package dev.mintmark.operations.doctor;

import dev.mintmark.operations.doctor.Column.IndexOf;
import dev.mintmark.operations.internal.schema.BuiltInType;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.internal.schema.ForeignKey.End;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.internal.schema.SchemaReader;
import dev.mintmark.operations.internal.schema.Sequence.Use;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A database as its catalog describes it: what all checks look at.
 *
 * @param now the server's time when the reading began
 * @param countedSince since when inserted rows are counted; empty where that is not known
 * @param tables by their oids, a part of a partitioned one for the whole
 */
record SchemaSnapshot(
    Instant now,
    Optional<Instant> countedSince,
    Map<Long, Table> tables,
    List<Column> columns,
    List<Sequence> sequences,
    List<Reference> references,
    Map<String, Object> relations,
    Map<String, Column> columnsByPlace,
    Map<String, Sequence> sequencesByPlace) {
  private static final SqlFile SERVER = SqlFile.load(SchemaSnapshot.class, "server");
  private static final SqlFile TABLES = SqlFile.load(SchemaSnapshot.class, "tables");
  private static final SqlFile STATISTICS = SqlFile.load(SchemaSnapshot.class, "statistics");
  private static final SqlFile FILLED_COLUMNS =
      SqlFile.load(SchemaSnapshot.class, "filled_columns");

  private record Server(Instant now, Optional<Instant> countedSince) {}

  static SchemaSnapshot read(GuardedReader reader, Set<String> schemas) throws SQLException {
    Server server = server(reader);
    Map<String, @Nullable Object> scope = new HashMap<>();
    scope.put("schemas", schemas.isEmpty() ? null : schemas.toArray(String[]::new));
    Map<Long, Table> tables = tables(reader, scope);
    Map<String, Object> relations =
        Map.of(
            "relations", tables.keySet().toArray(Long[]::new),
            "roots", tables.values().stream().map(Table::root).toArray(Long[]::new));
    SchemaReader schema = SchemaReader.through(reader);
    List<Index> indexes = schema.indexes(tables.keySet());
    List<Reference> references = references(reader, schema, tables, indexes);
    List<Column> columns = columns(reader, schema, tables, relations, indexes, references);
    Map<String, Column> byPlace = new HashMap<>();
    columns.forEach(column -> byPlace.put(column.place(), column));
    List<Sequence> sequences =
        sequences(schema, FedSequences.read(reader), schemas, tables, byPlace);
    Map<String, Sequence> feeding = new HashMap<>();
    sequences.forEach(
        sequence ->
            sequence.column().ifPresent(column -> feeding.putIfAbsent(column.place(), sequence)));
    return new SchemaSnapshot(
        server.now(),
        server.countedSince(),
        tables,
        columns,
        sequences,
        references,
        relations,
        byPlace,
        feeding);
  }

  private static Server server(GuardedReader reader) throws SQLException {
    return reader
        .query(
            SERVER,
            "since when rows are counted",
            Map.of(),
            row ->
                new Server(
                    row.getObject("now", OffsetDateTime.class).toInstant(),
                    Optional.ofNullable(row.getObject("counted_since", OffsetDateTime.class))
                        .map(OffsetDateTime::toInstant)))
        .stream()
        .findFirst()
        .orElseGet(() -> new Server(Instant.now(), Optional.empty()));
  }

  private static Map<Long, Table> tables(GuardedReader reader, Map<String, @Nullable Object> scope)
      throws SQLException {
    Map<Long, Table> tables = new LinkedHashMap<>();
    reader
        .query(
            TABLES,
            "tables",
            scope,
            row -> {
              if (row.getBoolean("is_locked")) {
                reader.skipLocked(
                    row.getString("schema"), row.getString("name"), row.getString("shown"));
                return Optional.<Table>empty();
              }
              return Optional.of(Table.read(row));
            })
        .forEach(found -> found.ifPresent(t -> t.members().forEach(oid -> tables.put(oid, t))));
    return tables;
  }

  private static List<Reference> references(
      GuardedReader reader, SchemaReader schema, Map<Long, Table> tables, List<Index> indexes)
      throws SQLException {
    List<ForeignKey> foreignKeys = schema.foreignKeys(tables.keySet());
    Set<Long> referencing = new HashSet<>();
    foreignKeys.forEach(key -> referencing.add(key.referencing().oid()));
    Map<Long, List<Index>> byRelation =
        indexes.stream()
            .filter(index -> index.valid() && referencing.contains(index.relation()))
            .collect(Collectors.groupingBy(Index::relation));
    List<Index> partial =
        byRelation.values().stream().flatMap(List::stream).filter(Index::partial).toList();
    Map<Long, Index> defined = new HashMap<>();
    schema.withDefinitions(partial).forEach(index -> defined.put(index.oid(), index));
    boolean unknown = reader.missed(SchemaReader.INDEXES);
    return Reference.merged(
        foreignKeys.stream()
            .map(
                key ->
                    Reference.of(
                        key,
                        tables,
                        unknown
                            || byRelation.getOrDefault(key.referencing().oid(), List.of()).stream()
                                .map(index -> defined.getOrDefault(index.oid(), index))
                                .anyMatch(index -> finds(index, key))))
            .toList());
  }

  /** Whether an index finds the rows of a foreign key, or may do: its condition is not known. */
  private static boolean finds(Index index, ForeignKey key) {
    int count = key.columns().size();
    Set<String> names = key.columns().stream().map(End::name).collect(Collectors.toSet());
    boolean begins =
        index.keyColumns().size() >= count
            && index.keyColumns().subList(0, count).stream()
                .flatMap(Optional::stream)
                .collect(Collectors.toSet())
                .containsAll(names);
    if (!begins || !index.partial()) {
      return begins;
    }
    String notNull = "(" + key.columns().get(0).shown() + " IS NOT NULL)";
    return index.definition().isEmpty()
        || (count == 1 && index.condition().filter(notNull::equals).isPresent());
  }

  private static List<Column> columns(
      GuardedReader reader,
      SchemaReader schema,
      Map<Long, Table> tables,
      Map<String, Object> relations,
      List<Index> indexes,
      List<Reference> references)
      throws SQLException {
    Map<String, List<IndexOf>> keys = new HashMap<>();
    for (Index index : indexes) {
      Table table = table(tables, index.relation());
      index.keyColumns().stream()
          .flatMap(Optional::stream)
          .distinct()
          .forEach(
              name ->
                  keys.computeIfAbsent(Column.place(table, name), place -> new ArrayList<>())
                      .add(IndexOf.of(index, name, table)));
    }
    Set<String> filled =
        Set.copyOf(
            reader.query(
                FILLED_COLUMNS, "columns that were added", relations, SchemaSnapshot::place));
    Set<String> referring = new HashSet<>();
    references.forEach(
        reference ->
            reference
                .columns()
                .forEach(
                    pair -> referring.add(Column.place(reference.table(), pair.own().name()))));
    if (reader.missed(SchemaReader.INDEXES) || reader.missed(SchemaReader.FOREIGN_KEYS)) {
      // Every column would look as if it were part of no key.
      reader.skip("columns", "what they are a key of could not be looked at");
      return List.of();
    }
    Map<List<String>, Statistics> statistics = statistics(reader);
    List<Column> columns = new ArrayList<>();
    for (var read : schema.withExpressions(identifying(schema, tables))) {
      Table table = table(tables, read.relation());
      String place = Column.place(table, read.name());
      columns.add(
          new Column(
              table,
              read.name(),
              read.shown(),
              read.base(),
              read.generated() ? "" : read.expression().orElse(""),
              keys.getOrDefault(place, List.of()),
              referring.contains(place),
              read.readable(),
              filled.contains(place),
              statisticsOf(table, read.name(), statistics)));
    }
    return columns;
  }

  /** The columns of types that hold identifiers or times, without the shadows of a migration. */
  private static List<dev.mintmark.operations.internal.schema.Column> identifying(
      SchemaReader schema, Map<Long, Table> tables) throws SQLException {
    return schema.columns(tables.values().stream().map(Table::root).distinct().toList()).stream()
        .filter(column -> column.base() != BuiltInType.OTHER && !column.shadow())
        .toList();
  }

  /** A sequence once for each column that takes numbers from it; else once, if no table does. */
  private static List<Sequence> sequences(
      SchemaReader schema,
      FedSequences feeds,
      Set<String> schemas,
      Map<Long, Table> tables,
      Map<String, Column> columnsByPlace)
      throws SQLException {
    List<Sequence> sequences = new ArrayList<>();
    for (var read : schema.sequences(tables.keySet(), true)) {
      Set<String> places = new TreeSet<>();
      for (Use use : read.uses()) {
        Table table = tables.get(use.relation());
        if (use.drawn() && table != null) {
          places.add(Column.place(table, use.column()));
        }
      }
      boolean ofUser =
          !read.drawn() && (schemas.isEmpty() || schemas.contains(read.relation().schema()));
      if (places.isEmpty() && !ofUser) {
        continue;
      }
      boolean fed = feeds.isFed(read);
      places.forEach(
          place ->
              sequences.add(
                  Sequence.of(read, Optional.ofNullable(columnsByPlace.get(place)), fed)));
      if (ofUser) {
        sequences.add(Sequence.of(read, Optional.empty(), fed));
      }
    }
    return sequences;
  }

  private static String place(ResultSet row) throws SQLException {
    return row.getLong("root") + "." + row.getString("name");
  }

  /** By schema, table and column; of a table with its parts rather than of itself alone. */
  private static Map<List<String>, Statistics> statistics(GuardedReader reader)
      throws SQLException {
    Map<List<String>, Statistics> statistics = new HashMap<>();
    reader.query(
        STATISTICS,
        "statistics",
        Map.of(),
        row ->
            statistics.merge(
                List.of(row.getString("schema"), row.getString("table"), row.getString("column")),
                Statistics.read(row),
                (one, other) -> one.inherited() ? one : other));
    return statistics;
  }

  /** Of the table, else of the part with most rows, if it was analyzed. */
  private static Optional<Statistics> statisticsOf(
      Table table, String column, Map<List<String>, Statistics> statistics) {
    return Stream.of(
            List.of(table.schema(), table.name(), column),
            List.of(table.largestSchema(), table.largestName(), column))
        .map(statistics::get)
        .filter(Objects::nonNull)
        .findFirst();
  }

  /** The table of an oid that we asked for. */
  Table table(long oid) {
    return table(tables, oid);
  }

  static Table table(Map<Long, Table> tables, long oid) {
    return Optional.ofNullable(tables.get(oid))
        .orElseThrow(() -> new IllegalStateException("a table that was not asked for: " + oid));
  }

  /** How many tables there are, each with its parts once. */
  int count() {
    return (int) tables.values().stream().distinct().count();
  }

  /** What is known of a column; empty for one of a type that identifiers do not have. */
  Optional<Column> column(Table table, String name) {
    return Optional.ofNullable(columnsByPlace.get(Column.place(table, name)));
  }

  /** The same by {@link Column#place()}. */
  Optional<Column> column(String place) {
    return Optional.ofNullable(columnsByPlace.get(place));
  }

  /** The sequence that a column takes its numbers from. */
  Optional<Sequence> sequenceOf(Column column) {
    return Optional.ofNullable(sequencesByPlace.get(column.place()));
  }
}
