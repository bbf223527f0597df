package dev.mintmark.postgres.search;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import dev.mintmark.postgres.search.RowAnswer.Reason;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The table of a collection as the catalog of its database describes it: whether a row can be
 * looked for by an index, and by this role.
 *
 * @param name its schema and its name, quoted where SQL requires it
 * @param quoted the same, always quoted
 * @param isOpen whether the role has {@code usage} of the schema
 * @param isTable whether it and its parts are tables of this server
 * @param type the type of the column of the identifier, of a domain the type under it; empty if
 *     there is no such column
 * @param columns the columns to read
 * @param missing the columns to read that do not exist
 * @param unreadable the columns, among all that the statement names, that the role may not read
 * @param isIndexed whether each part has a valid index without a condition that begins with the
 *     column and serves {@code =}
 * @param hidesRows whether row security applies to the role
 */
record RowTable(
    String name,
    String quoted,
    boolean isOpen,
    boolean isTable,
    Optional<String> type,
    List<String> columns,
    List<String> missing,
    List<String> unreadable,
    boolean isIndexed,
    boolean hidesRows) {
  private static final SqlFile ROW_TABLE = SqlFile.load(RowTable.class, "row_table");

  /** The types of columns that hold each storage, and serve an index look-up of it. */
  private static final Map<Kind.Storage, Set<String>> TYPES =
      Map.of(
          Kind.Storage.UUID, Set.of("uuid"),
          Kind.Storage.BIGINT, Set.of("int8", "int4", "int2"),
          Kind.Storage.TEXT, Set.of("text", "varchar", "bpchar"));

  /** Why the table cannot be asked. */
  record Obstacle(Reason reason, String detail) {}

  /**
   * Reads the description of the table of a collection; empty if there is none.
   *
   * @param schemas where a table without a schema is looked for, in this order
   */
  static Optional<RowTable> read(
      Connection connection, CollectionSpec collection, List<String> schemas, RowColumns shown)
      throws SQLException {
    String table = collection.table().orElseThrow();
    int dot = table.indexOf('.');
    List<String> path = dot < 0 ? schemas : List.of(table.substring(0, dot));
    List<String> named = shown instanceof RowColumns.Named some ? some.names() : List.of();
    Map<String, Object> values =
        Map.of(
            "schemas", path.toArray(String[]::new),
            "name", table.substring(dot + 1),
            "column", collection.column(),
            "shown", named.toArray(String[]::new),
            "all_columns", shown instanceof RowColumns.All,
            "key_columns", shown instanceof RowColumns.Key);
    return ROW_TABLE.query(connection, values, RowTable::read).stream().findFirst();
  }

  private static RowTable read(ResultSet row) throws SQLException {
    String schema = row.getString("schema");
    String name = row.getString("name");
    return new RowTable(
        row.getString("shown"),
        SqlName.quoted(schema) + "." + SqlName.quoted(name),
        row.getBoolean("is_open"),
        row.getBoolean("is_table"),
        Optional.ofNullable(row.getString("type")),
        texts(row, "columns"),
        texts(row, "missing"),
        texts(row, "unreadable"),
        row.getBoolean("is_indexed"),
        row.getBoolean("hides_rows"));
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return array == null ? List.of() : List.of((String[]) array.getArray());
  }

  /** Returns why the table cannot be asked for an identifier of the collection; empty if it can. */
  Optional<Obstacle> obstacle(CollectionSpec collection) {
    String column = collection.column();
    if (!isOpen) {
      return obstacle(Reason.NO_PRIVILEGE, "this role has no USAGE on the schema of the table");
    }
    if (!isTable) {
      return obstacle(
          Reason.NOT_A_TABLE,
          "expected a table of this server, or a partitioned table without foreign partitions");
    }
    if (type.isEmpty()) {
      return obstacle(Reason.NO_COLUMN, "the table has no column " + Quoted.of(column));
    }
    if (!missing.isEmpty()) {
      return obstacle(Reason.NO_COLUMN, "the table has no column " + listed(missing));
    }
    if (!TYPES.getOrDefault(collection.storage(), Set.of()).contains(type.get())) {
      return obstacle(
          Reason.OTHER_TYPE,
          "the column %s is of type %s: the catalog declares %s"
              .formatted(Quoted.of(column), type.get(), collection.storageLabel()));
    }
    if (!unreadable.isEmpty()) {
      return obstacle(
          Reason.NO_PRIVILEGE, "this role has no SELECT on the column " + listed(unreadable));
    }
    if (!isIndexed) {
      return obstacle(
          Reason.NO_INDEX,
          "no valid index without a condition begins with the column %s: create one"
              .formatted(Quoted.of(column)));
    }
    return Optional.empty();
  }

  private static Optional<Obstacle> obstacle(Reason reason, String detail) {
    return Optional.of(new Obstacle(reason, detail));
  }

  private static String listed(List<String> names) {
    return names.stream().map(Quoted::of).collect(Collectors.joining(", "));
  }

  /**
   * Returns the query of the rows with these values in the column of the identifier. Values of the
   * rows are written by the output functions of their types, which no cast of another role
   * replaces.
   *
   * @param values how many there are; with none, the query returns no row
   * @param length the most characters of a value
   * @param limit the most rows
   */
  String query(CollectionSpec collection, int values, int length, int limit) {
    // a number may be too large for the column, and is compared all the same
    String compared = collection.storage() == Kind.Storage.BIGINT ? "int8" : type.orElseThrow();
    String cast = "pg_catalog." + SqlName.quoted(compared);
    String selected =
        columns.stream()
            .map(SqlName::quoted)
            .map(
                column ->
                    "case when r.%1$s is null then null else pg_catalog.left(pg_catalog.format('%%s', r.%1$s), %2$s) end"
                        .formatted(column, length))
            .collect(Collectors.joining(",\n  "));
    String parameters =
        IntStream.range(0, values).mapToObj(i -> "?::" + cast).collect(Collectors.joining(", "));
    return """
        select
          %s
        from %s as r
        where r.%s operator(pg_catalog.=) any (array[%s]::%s[])
        limit %s"""
        .formatted(selected, quoted, SqlName.quoted(collection.column()), parameters, cast, limit);
  }
}
