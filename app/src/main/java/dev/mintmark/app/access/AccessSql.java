package dev.mintmark.app.access;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement in a {@code .sql} file of this package. Parameters are written {@code :name}, as in
 * psql, and are always bound.
 */
final class AccessSql {
  private static final Pattern TOKEN =
      Pattern.compile("--[^\n]*|'[^']*'|::|:(?<name>[a-z][a-z_]*)");

  private final String sql;
  private final List<String> parameters;

  /** Reads a row of a result. */
  interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  private AccessSql(String sql, List<String> parameters) {
    this.sql = sql;
    this.parameters = parameters;
  }

  /** Loads the statement {@code name.sql}. */
  static AccessSql load(String name) {
    try (InputStream file = AccessSql.class.getResourceAsStream(name + ".sql")) {
      if (file == null) {
        throw new IllegalStateException("no statement " + name + ".sql beside " + AccessSql.class);
      }
      return parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AccessSql parse(String text) {
    List<String> parameters = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    Matcher token = TOKEN.matcher(text);
    while (token.find()) {
      String parameter = token.group("name");
      if (parameter != null) {
        parameters.add(parameter);
      }
      token.appendReplacement(
          sql,
          parameter != null
              ? "?"
              : token.group().startsWith("--") ? "" : Matcher.quoteReplacement(token.group()));
    }
    token.appendTail(sql);
    return new AccessSql(sql.toString().strip(), List.copyOf(parameters));
  }

  /** Runs the statement and reads all its rows. */
  <T> List<T> query(Connection connection, Map<String, ?> values, Row<T> reader)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement statement = prepare(connection, values);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        rows.add(reader.of(row));
      }
    }
    return rows;
  }

  /** Runs the statement and returns how many rows it changed. */
  int update(Connection connection, Map<String, ?> values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, values)) {
      return statement.executeUpdate();
    }
  }

  private PreparedStatement prepare(Connection connection, Map<String, ?> values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      for (int i = 0; i < parameters.size(); i++) {
        if (!values.containsKey(parameters.get(i))) {
          throw new IllegalArgumentException("no value for the parameter " + parameters.get(i));
        }
        statement.setObject(i + 1, bindable(connection, values.get(parameters.get(i))));
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  private static @Nullable Object bindable(Connection connection, @Nullable Object value)
      throws SQLException {
    return value instanceof String[] texts ? connection.createArrayOf("text", texts) : value;
  }
}
