package dev.mintmark.warehouse;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB in this process. It may neither download nor load extensions, so the scripts that run here
 * need nothing but the jar of DuckDB.
 */
final class DuckDb implements AutoCloseable {
  /** What DuckDB puts before the message of {@code error()}. */
  private static final String FAILED = "Invalid Input Error: ";

  private final Connection connection;

  private DuckDb(String url) throws SQLException {
    this.connection = DriverManager.getConnection(url);
    run("set autoinstall_known_extensions = false");
    run("set autoload_known_extensions = false");
    run("set threads = 1");
  }

  static DuckDb inMemory() throws SQLException {
    return new DuckDb("jdbc:duckdb:");
  }

  static DuckDb at(Path file) throws SQLException {
    return new DuckDb("jdbc:duckdb:" + file);
  }

  /** Runs statements. */
  void run(String script) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(script);
    }
  }

  /** Returns the value of an expression of these arguments, as its text. */
  @Nullable String ask(String expression, @Nullable Object... arguments) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select cast(" + expression + " as varchar)")) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  /** Returns the message with which an expression of these arguments fails. */
  String refusal(String expression, @Nullable Object... arguments) {
    SQLException refusal =
        Objects.requireNonNull(
            catchThrowableOfType(SQLException.class, () -> ask(expression, arguments)),
            () -> "nothing was refused: " + expression);
    String message = Objects.requireNonNull(refusal.getMessage());
    return message.startsWith(FAILED) ? message.substring(FAILED.length()) : message;
  }

  /** Returns the rows of a query, their values as texts. */
  List<List<@Nullable String>> rows(String query) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        @Nullable String[] row = new String[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = result.getString(i + 1);
        }
        rows.add(Arrays.asList(row));
      }
    }
    return rows;
  }

  /**
   * Creates a table of text columns with equally many values. Column {@code n} is the number of the
   * row, from 0.
   */
  @SafeVarargs
  final void table(String name, List<String> columns, List<String>... values) throws SQLException {
    run(
        "create or replace table %s (n bigint, %s varchar)"
            .formatted(name, String.join(" varchar, ", columns)));
    try (DuckDBAppender appender =
        connection.unwrap(DuckDBConnection.class).createAppender("main", name)) {
      for (int n = 0; n < values[0].size(); n++) {
        appender.beginRow();
        appender.append((long) n);
        for (List<String> column : values) {
          appender.append(column.get(n));
        }
        appender.endRow();
      }
    }
  }

  /** Returns the values of an expression for the rows of such a table, in their order. */
  List<@Nullable String> answers(String expression, String table) throws SQLException {
    List<@Nullable String> answers = new ArrayList<>();
    for (List<@Nullable String> row :
        rows("select cast(" + expression + " as varchar) from " + table + " order by n")) {
      answers.add(row.get(0));
    }
    return answers;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
