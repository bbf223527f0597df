package dev.mintmark.postgres.internal;

import dev.mintmark.postgres.RowReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement that is stored in a {@code .sql} file beside the class that runs it. Parameters are
 * written {@code :name}, like variables in psql, and are always bound.
 *
 * <p>Immutable; safe for use by many threads.
 */
public final class SqlFile {
  /** Tokens that may contain a colon but are not parameters, and then a parameter. */
  private static final Pattern TOKEN =
      Pattern.compile("--[^\n]*|'[^']*'|\"[^\"]*\"|::|:(?<name>[a-z][a-z0-9_]*)");

  /**
   * Pins the search path until the transaction ends: without a transaction block, that of the
   * statement that is sent with it. It has no parameters, and one result.
   */
  static final String PIN =
      "select pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);";

  /** Pins the search path likewise, and has the statement planned as Transactions.byIndex says. */
  static final String PIN_INDEXES =
      PIN.replace(
          ";",
          ", pg_catalog.set_config('enable_seqscan', 'off', true),"
              + " pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true),"
              + " pg_catalog.set_config('jit', 'off', true);");

  private final String name;
  private final String sql;
  private final List<String> parameters;

  private SqlFile(String name, String sql, List<String> parameters) {
    this.name = name;
    this.sql = sql;
    this.parameters = parameters;
  }

  /**
   * Loads the statement {@code name.sql} from the package of {@code owner}.
   *
   * @throws IllegalArgumentException if there is no such file
   */
  public static SqlFile load(Class<?> owner, String name) {
    try (InputStream file = owner.getResourceAsStream(name + ".sql")) {
      if (file == null) {
        throw new IllegalArgumentException("no statement " + name + ".sql beside " + owner);
      }
      return parse(name, new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Parses a statement that is made of parts, because it contains names, which cannot be bound.
   *
   * @param name for messages
   */
  public static SqlFile parse(String name, String text) {
    List<String> parameters = new ArrayList<>();
    StringBuilder sql = new StringBuilder(text.length());
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      String parameter = token.group("name");
      if (parameter != null) {
        parameters.add(parameter);
        token.appendReplacement(sql, "?");
      } else {
        // A comment would be sent with every call, and its question marks read as parameters.
        boolean comment = token.group().startsWith("--");
        token.appendReplacement(sql, comment ? "" : Matcher.quoteReplacement(token.group()));
      }
    }
    token.appendTail(sql);
    return new SqlFile(name, sql.toString().strip(), List.copyOf(parameters));
  }

  /**
   * Prepares the statement with a value for each of its parameters. A {@code String[]}, {@code
   * Long[]} or {@code Integer[]} is bound as an array; everything else as {@link
   * PreparedStatement#setObject} does.
   *
   * @throws IllegalArgumentException if the names are not exactly those of the statement
   */
  public PreparedStatement prepare(Connection connection, Map<String, ?> values)
      throws SQLException {
    return prepare(connection, sql, values);
  }

  private PreparedStatement prepare(Connection connection, String sql, Map<String, ?> values)
      throws SQLException {
    Set<String> missing = new HashSet<>(parameters);
    missing.removeAll(values.keySet());
    Set<String> unknown = new HashSet<>(values.keySet());
    unknown.removeAll(parameters);
    if (!missing.isEmpty() || !unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "statement " + name + ": missing " + missing + ", unknown " + unknown);
    }
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 1, bindable(connection, values.get(parameters.get(i))));
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  /**
   * Runs the statement and reads all its rows.
   *
   * @throws IllegalArgumentException as {@link #prepare}
   */
  public <T> List<T> query(Connection connection, Map<String, ?> values, RowReader<T> reader)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement statement = prepare(connection, values);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.add(reader.read(row));
      }
    }
    return rows;
  }

  /** Runs the statement and returns its row count. */
  int update(Connection connection, Map<String, ?> values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, values)) {
      return statement.executeUpdate();
    }
  }

  /**
   * Runs the statement with pinned settings, in one round trip, and reads all its rows.
   *
   * @param pin the query that pins them, {@link #PIN} or {@link #PIN_INDEXES}
   */
  <T> List<T> queryPinned(
      String pin, Connection connection, Map<String, ?> values, RowReader<T> reader)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement statement = prepare(connection, pin + sql, values)) {
      statement.execute();
      statement.getMoreResults();
      try (ResultSet row = statement.getResultSet()) {
        while (row.next()) {
          rows.add(reader.read(row));
        }
      }
    }
    return rows;
  }

  /** As {@link #queryPinned}; returns the statement's row count. */
  int updatePinned(String pin, Connection connection, Map<String, ?> values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, pin + sql, values)) {
      statement.execute();
      statement.getMoreResults();
      return statement.getUpdateCount();
    }
  }

  /** Returns this statement and others without parameters, which are sent in one round trip. */
  SqlFile then(String more) {
    return new SqlFile(name, sql + ";\n" + more, parameters);
  }

  /** Returns the statement as it is sent, with a question mark for each parameter. */
  public String sql() {
    return sql;
  }

  private static @Nullable Object bindable(Connection connection, @Nullable Object value)
      throws SQLException {
    if (value instanceof String[] texts) {
      return connection.createArrayOf("text", texts);
    }
    if (value instanceof Long[] numbers) {
      return connection.createArrayOf("bigint", numbers);
    }
    if (value instanceof Integer[] numbers) {
      return connection.createArrayOf("integer", numbers);
    }
    return value;
  }

  @Override
  public String toString() {
    return name;
  }
}
