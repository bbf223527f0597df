package dev.mintmark.operations.doctor;

import dev.mintmark.operations.doctor.Column.IndexOf;
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
  private static final SqlFile INDEXED_COLUMNS =
      SqlFile.load(SchemaSnapshot.class, "indexed_columns");
  private static final SqlFile FILLED_COLUMNS =
      SqlFile.load(SchemaSnapshot.class, "filled_columns");
  private static final SqlFile COLUMNS = SqlFile.load(SchemaSnapshot.class, "columns");
  private static final SqlFile SEQUENCES = SqlFile.load(SchemaSnapshot.class, "sequences");
  private static final SqlFile REFERENCES = SqlFile.load(SchemaSnapshot.class, "references");

  private static final String INDEXES = "indexes";
  private static final String FOREIGN_KEYS = "foreign keys";

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
    List<Reference> references =
        Reference.merged(
            reader.query(
                REFERENCES,
                FOREIGN_KEYS,
                Map.of("relations", tables.keySet().toArray(Long[]::new)),
                row -> Reference.read(row, tables)));
    List<Column> columns = columns(reader, tables, relations, references);
    Map<String, Column> byPlace = new HashMap<>();
    columns.forEach(column -> byPlace.put(column.place(), column));

    Map<String, @Nullable Object> sequenceScope = new HashMap<>(relations);
    sequenceScope.putAll(scope);
    List<Sequence> sequences =
        reader.query(
            SEQUENCES,
            "sequences",
            sequenceScope,
            row ->
                Sequence.read(
                    row,
                    Optional.ofNullable(
                        byPlace.get(row.getLong("root") + "." + row.getString("column")))));
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
                reader.skip(row.getString("shown"), "another session locks the whole table");
                return Optional.<Table>empty();
              }
              return Optional.of(Table.read(row));
            })
        .forEach(found -> found.ifPresent(t -> t.members().forEach(oid -> tables.put(oid, t))));
    return tables;
  }

  private static List<Column> columns(
      GuardedReader reader,
      Map<Long, Table> tables,
      Map<String, Object> relations,
      List<Reference> references)
      throws SQLException {
    Map<String, List<IndexOf>> indexes = new HashMap<>();
    reader.query(
        INDEXED_COLUMNS,
        INDEXES,
        relations,
        row ->
            indexes.computeIfAbsent(place(row), place -> new ArrayList<>()).add(IndexOf.read(row)));
    Set<String> filled =
        Set.copyOf(
            reader.query(
                FILLED_COLUMNS, "columns that were added", relations, SchemaSnapshot::place));
    Set<String> referring = new HashSet<>();
    references.forEach(
        reference ->
            reference
                .columns()
                .forEach(end -> referring.add(Column.place(reference.table(), end.name()))));
    if (reader.missed(INDEXES) || reader.missed(FOREIGN_KEYS)) {
      // Every column would look as if it were part of no key.
      reader.skip("columns", "what they are a key of could not be looked at");
      return List.of();
    }
    Map<List<String>, Statistics> statistics = statistics(reader);
    return reader.query(
        COLUMNS,
        "columns",
        Map.of("tables", tables.values().stream().map(Table::root).distinct().toArray(Long[]::new)),
        row -> {
          Table table = table(tables, row.getLong("root"));
          String name = row.getString("name");
          String place = place(row);
          return new Column(
              table,
              name,
              row.getString("shown"),
              row.getString("type"),
              row.getString("default_expression"),
              indexes.getOrDefault(place, List.of()),
              referring.contains(place),
              row.getBoolean("is_readable"),
              filled.contains(place),
              statisticsOf(table, name, statistics));
        });
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
