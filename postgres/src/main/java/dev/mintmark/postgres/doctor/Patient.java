package dev.mintmark.postgres.doctor;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A database as its catalog describes it: what all checks look at.
 *
 * @param now the server's time when the reading began
 * @param countedSince since when inserted rows are counted; empty where that is not known
 * @param tables by their oids, a part of a partitioned one for the whole
 */
record Patient(
    Instant now,
    Optional<Instant> countedSince,
    Map<Long, Table> tables,
    List<Column> columns,
    List<Sequence> sequences,
    List<Reference> references,
    Map<String, Object> relations,
    Map<String, Column> columnsByPlace,
    Map<String, Sequence> sequencesByPlace) {
  private static final SqlFile SERVER = SqlFile.load(Patient.class, "server");
  private static final SqlFile TABLES = SqlFile.load(Patient.class, "tables");
  private static final SqlFile COLUMNS = SqlFile.load(Patient.class, "columns");
  private static final SqlFile SEQUENCES = SqlFile.load(Patient.class, "sequences");
  private static final SqlFile REFERENCES = SqlFile.load(Patient.class, "references");

  private record Server(Instant now, Optional<Instant> countedSince) {}

  static Patient read(Consultation consultation, Set<String> schemas) throws SQLException {
    Server server =
        consultation
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

    Map<String, @Nullable Object> scope = new HashMap<>();
    scope.put("schemas", schemas.isEmpty() ? null : schemas.toArray(String[]::new));
    Map<Long, Table> tables = new LinkedHashMap<>();
    consultation
        .query(
            TABLES,
            "tables",
            scope,
            row -> {
              if (row.getBoolean("is_locked")) {
                consultation.skip(row.getString("shown"), "another session locks the whole table");
                return Optional.<Table>empty();
              }
              return Optional.of(Table.read(row));
            })
        .forEach(found -> found.ifPresent(t -> t.members().forEach(oid -> tables.put(oid, t))));

    Map<String, Object> relations =
        Map.of(
            "relations", tables.keySet().toArray(Long[]::new),
            "roots", tables.values().stream().map(Table::root).toArray(Long[]::new));
    List<Column> columns =
        consultation.query(
            COLUMNS,
            "columns",
            relations,
            row -> Column.read(table(tables, row.getLong("root")), row));
    Map<String, Column> byPlace = new HashMap<>();
    columns.forEach(column -> byPlace.put(column.place(), column));

    Map<String, @Nullable Object> sequenceScope = new HashMap<>(relations);
    sequenceScope.putAll(scope);
    List<Sequence> sequences =
        consultation.query(
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
    List<Reference> references =
        consultation.query(
            REFERENCES,
            "foreign keys",
            Map.of("relations", tables.keySet().toArray(Long[]::new)),
            row -> Reference.read(row, tables));
    return new Patient(
        server.now(),
        server.countedSince(),
        tables,
        columns,
        sequences,
        Reference.merged(references),
        relations,
        byPlace,
        feeding);
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
