package dev.mintmark.app.service;

import dev.mintmark.Spelling;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The names of tables and columns in a database, used to suggest a name for a mistyped one. Uses
 * one connection. Not thread-safe.
 */
final class LiveNames {
  private static final String[] TABLES = {"TABLE", "PARTITIONED TABLE"};

  private final Connection connection;
  private @Nullable List<Table> tables;

  LiveNames(Connection connection) {
    this.connection = connection;
  }

  private record Table(String schema, String name) {}

  private record Column(String name, String type) {}

  /** Returns the table with the name nearest to a missing one, as a catalog would name it. */
  Optional<String> tableNear(String wanted) throws SQLException {
    if (wanted.indexOf('.') >= 0) {
      return Spelling.nearest(
          wanted, tables().stream().map(table -> table.schema() + "." + table.name()).toList());
    }
    Optional<String> near = Spelling.nearest(wanted, tables().stream().map(Table::name).toList());
    if (near.isEmpty()) {
      return near;
    }
    String current = connection.getSchema();
    List<Table> found = tables().stream().filter(table -> table.name().equals(near.get())).toList();
    boolean isOnPath = found.stream().anyMatch(table -> table.schema().equals(current));
    return Optional.of(isOnPath ? near.get() : found.get(0).schema() + "." + near.get());
  }

  /** Returns the column with the name nearest to a missing one; empty if the column exists. */
  Optional<String> columnNear(String table, String wanted) throws SQLException {
    return columnNear(table, wanted, column -> true);
  }

  /** As {@link #columnNear} among the columns of a timestamp type. */
  Optional<String> timeNear(String table, String wanted) throws SQLException {
    return columnNear(table, wanted, column -> column.type().startsWith("timestamp"));
  }

  private Optional<String> columnNear(String table, String wanted, Predicate<Column> fitting)
      throws SQLException {
    int dot = table.indexOf('.');
    List<Column> columns =
        columns(dot < 0 ? null : table.substring(0, dot), table.substring(dot + 1));
    return columns.stream().anyMatch(column -> column.name().equals(wanted))
        ? Optional.empty()
        : Spelling.nearest(wanted, columns.stream().filter(fitting).map(Column::name).toList());
  }

  private List<Table> tables() throws SQLException {
    List<Table> known = tables;
    if (known == null) {
      known = new ArrayList<>();
      try (ResultSet row = connection.getMetaData().getTables(null, null, "%", TABLES)) {
        while (row.next()) {
          known.add(new Table(row.getString("TABLE_SCHEM"), row.getString("TABLE_NAME")));
        }
      }
      tables = known;
    }
    return known;
  }

  private List<Column> columns(@Nullable String schema, String table) throws SQLException {
    DatabaseMetaData metaData = connection.getMetaData();
    String schemaPattern = schema == null ? null : escaped(metaData, schema);
    List<Column> columns = new ArrayList<>();
    try (ResultSet row = metaData.getColumns(null, schemaPattern, escaped(metaData, table), "%")) {
      while (row.next()) {
        columns.add(new Column(row.getString("COLUMN_NAME"), row.getString("TYPE_NAME")));
      }
    }
    return columns;
  }

  private static String escaped(DatabaseMetaData metaData, String name) throws SQLException {
    String escape = metaData.getSearchStringEscape();
    return name.replace(escape, escape + escape)
        .replace("_", escape + "_")
        .replace("%", escape + "%");
  }
}
