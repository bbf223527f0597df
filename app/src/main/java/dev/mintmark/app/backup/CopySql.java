package dev.mintmark.app.backup;

import dev.mintmark.app.database.TableSet;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/** The SQL with which rows are written as text and read again. */
final class CopySql {
  /** Values are written and read the same whatever the database and the role have set. */
  private static final List<String> SETTINGS =
      List.of(
          "set local search_path = pg_catalog",
          "set local timezone = 'UTC'",
          "set local datestyle = 'ISO, YMD'",
          "set local intervalstyle = 'postgres'");

  private CopySql() {}

  /** Begins a transaction on a connection, with settings of its own besides those of values. */
  static void begin(Connection connection, List<String> own) throws SQLException {
    connection.setAutoCommit(false);
    execute(connection, own);
    execute(connection, SETTINGS);
  }

  /** The statement that copies a table, without its direction. */
  static String copy(String table, List<String> columns) {
    return "copy %s (%s)"
        .formatted(
            quoted(table),
            columns.stream().map(CopySql::identifier).collect(Collectors.joining(", ")));
  }

  /** A name of the schema of Mintmark. */
  static String quoted(String name) {
    return TableSet.SCHEMA + "." + identifier(name);
  }

  private static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }
}
