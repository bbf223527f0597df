package dev.mintmark.operations.doctor;

import dev.mintmark.operations.internal.schema.BuiltInType;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.internal.schema.ForeignKey.End;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.operations.internal.schema.SchemaReader;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a draft is made of.
 *
 * @param keys of every table of a user, in the order of names
 * @param candidates the columns that may refer to a key without a foreign key, in the same order
 * @param narrower the integers that a foreign key connects with a bigint
 */
record DraftSchema(List<TableKey> keys, List<Candidate> candidates, List<Narrower> narrower) {
  private static final SqlFile TABLES = SqlFile.load(DraftSchema.class, "draft_tables");

  /**
   * The key of a table.
   *
   * @param columns none if there is no key; what follows is set if there is one column
   * @param type the name of its type in {@code pg_type}, or of the one under its domain
   * @param readable whether this role may read it
   * @param rows the relation that has some of the table's rows, as part of a statement; empty for a
   *     partitioned table without partitions
   */
  record TableKey(
      DraftTable table,
      List<String> columns,
      String type,
      String defaultExpression,
      boolean identity,
      boolean readable,
      Optional<String> rows) {
    String column() {
      return columns.get(0);
    }

    boolean isMinted() {
      return identity || !defaultExpression.isEmpty();
    }
  }

  /** A column that may be a reference. */
  record Candidate(DraftTable table, String name, String type, boolean readable) {}

  /** A bigint, and an integer or smallint that a foreign key holds to the same values. */
  record Narrower(DraftTable table, String column, DraftTable other, String otherColumn) {
    boolean isOf(TableKey key) {
      return table.equals(key.table()) && column.equals(key.column());
    }
  }

  private record Table(Relation relation, boolean open, Optional<String> rows) {
    static Table read(ResultSet row) throws SQLException {
      String schema = row.getString("rows_schema");
      return new Table(
          Relation.read(row),
          row.getBoolean("is_open"),
          schema == null
              ? Optional.empty()
              : Optional.of(new DraftTable(schema, row.getString("rows_name")).sql()));
    }

    DraftTable names() {
      return DraftTable.of(relation);
    }
  }

  /** Reads them in the transaction of a connection, with nothing but pg_catalog on its path. */
  static DraftSchema read(Connection connection) throws SQLException {
    SchemaReader schema = SchemaReader.of(connection);
    List<Table> tables = TABLES.query(connection, Map.of(), Table::read);
    List<Long> oids = tables.stream().map(table -> table.relation().oid()).toList();
    Map<Long, List<Column>> columns =
        schema.columns(oids).stream().collect(Collectors.groupingBy(Column::relation));
    Map<Long, List<String>> primary = new HashMap<>();
    schema.indexes(oids).stream()
        .filter(Index::primary)
        .forEach(
            index ->
                primary.put(
                    index.relation(),
                    index.keyColumns().stream().flatMap(Optional::stream).toList()));
    List<ForeignKey> foreignKeys = schema.foreignKeys();
    return new DraftSchema(
        keys(schema, tables, columns, primary),
        candidates(tables, columns, primary, foreignKeys),
        narrower(foreignKeys));
  }

  private static List<TableKey> keys(
      SchemaReader schema,
      List<Table> tables,
      Map<Long, List<Column>> columns,
      Map<Long, List<String>> primary)
      throws SQLException {
    List<Column> single =
        columns.values().stream()
            .flatMap(List::stream)
            .filter(
                column ->
                    List.of(column.name())
                        .equals(primary.getOrDefault(column.relation(), List.of())))
            .toList();
    Map<Long, Column> keyColumns = new HashMap<>();
    schema.withExpressions(single).forEach(column -> keyColumns.put(column.relation(), column));
    return tables.stream()
        .map(
            table -> {
              long oid = table.relation().oid();
              Optional<Column> column = Optional.ofNullable(keyColumns.get(oid));
              return new TableKey(
                  table.names(),
                  primary.getOrDefault(oid, List.of()),
                  column.map(key -> key.type().baseName()).orElse(""),
                  column.filter(key -> !key.generated()).flatMap(Column::expression).orElse(""),
                  column.filter(Column::isIdentity).isPresent(),
                  table.open() && column.filter(Column::readable).isPresent(),
                  table.rows());
            })
        .toList();
  }

  /** Columns named like an id that are in no foreign key and not the primary key by themselves. */
  private static List<Candidate> candidates(
      List<Table> tables,
      Map<Long, List<Column>> columns,
      Map<Long, List<String>> primary,
      List<ForeignKey> foreignKeys) {
    Map<Long, Set<String>> excluded = new HashMap<>();
    for (ForeignKey key : foreignKeys) {
      Set<String> names = excluded.computeIfAbsent(key.referencing().oid(), oid -> new HashSet<>());
      key.columns().forEach(end -> names.add(end.name()));
    }
    primary.forEach(
        (oid, names) -> {
          if (names.size() == 1) {
            excluded.computeIfAbsent(oid, each -> new HashSet<>()).addAll(names);
          }
        });
    List<Candidate> candidates = new ArrayList<>();
    for (Table table : tables) {
      long oid = table.relation().oid();
      Set<String> others = excluded.getOrDefault(oid, Set.of());
      columns.getOrDefault(oid, List.of()).stream()
          .filter(column -> column.name().toLowerCase(Locale.ROOT).endsWith("id"))
          .filter(column -> column.base() != BuiltInType.OTHER && !column.base().isTime())
          .filter(column -> !others.contains(column.name()))
          .forEach(
              column ->
                  candidates.add(
                      new Candidate(
                          table.names(),
                          column.name(),
                          column.type().baseName(),
                          table.open() && column.readable())));
    }
    return candidates;
  }

  private static List<Narrower> narrower(List<ForeignKey> foreignKeys) {
    record Side(DraftTable table, End end) {
      boolean isNarrow() {
        return end.base() == BuiltInType.INTEGER || end.base() == BuiltInType.SMALLINT;
      }
    }
    record Sides(Side wide, Side narrow) {}
    List<Sides> found = new ArrayList<>();
    for (ForeignKey key : foreignKeys) {
      for (int i = 0; i < key.columns().size(); i++) {
        Side own = new Side(DraftTable.of(key.referencing()), key.columns().get(i));
        Side target = new Side(DraftTable.of(key.referenced()), key.referencedColumns().get(i));
        found.add(new Sides(own, target));
        found.add(new Sides(target, own));
      }
    }
    Comparator<Side> place =
        Comparator.comparing((Side side) -> side.table().schema())
            .thenComparing(side -> side.table().name())
            .thenComparing(side -> side.end().number());
    return found.stream()
        .filter(
            sides -> sides.wide().end().base() == BuiltInType.BIGINT && sides.narrow().isNarrow())
        .sorted(Comparator.comparing(Sides::narrow, place).thenComparing(Sides::wide, place))
        .map(
            sides ->
                new Narrower(
                    sides.wide().table(),
                    sides.wide().end().name(),
                    sides.narrow().table(),
                    sides.narrow().end().name()))
        .toList();
  }
}
