package dev.mintmark.operations.doctor;

import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what a draft is made of, each time in a transaction of its own: no lock is kept from one
 * table to the next, and what fails at one is no matter of the others.
 */
final class DraftProbe {
  private static final SqlFile LIMITS = SqlFile.load(DraftProbe.class, "draft_limits");

  /** Of a connection that is gone: no look at another table will fare better. */
  private static final String CONNECTION_EXCEPTION = "08";

  private final Connection connection;

  /**
   * @param connection which is out of auto-commit, and of which every transaction is rolled back
   */
  DraftProbe(Connection connection) {
    this.connection = connection;
  }

  /** What reads through a connection that is in a transaction. */
  interface Reading<T> {
    T of(Connection open) throws SQLException;
  }

  /**
   * Rows that were read.
   *
   * @param obstacle why there are none; empty where they could be read
   */
  record Seen<T>(List<T> rows, Optional<String> obstacle) {}

  /** Reads PostgreSQL's own tables. */
  <T> List<T> atCatalog(SqlFile statement, RowReader<T> reader) throws SQLException {
    try {
      return statement.query(connection, Map.of(), reader);
    } finally {
      connection.rollback();
    }
  }

  /** Reads the schema, with nothing but PostgreSQL's own names on the path. */
  <T> T atSchema(Reading<T> reading) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local search_path to pg_catalog");
      return reading.of(connection);
    } finally {
      connection.rollback();
    }
  }

  /**
   * Reads rows of people, under limits.
   *
   * @param sql with names by {@link dev.mintmark.postgres.internal.SqlName} alone
   * @throws SQLException if the connection is lost
   */
  <T> Seen<T> atRows(String sql, RowReader<T> reader) throws SQLException {
    try {
      LIMITS.query(connection, Map.of(), row -> row.getString(1));
      return new Seen<>(query(sql, reader), Optional.empty());
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith(CONNECTION_EXCEPTION)) {
        throw e;
      }
      return new Seen<>(List.of(), Optional.of(firstLine(e)));
    } finally {
      connection.rollback();
    }
  }

  private <T> List<T> query(String sql, RowReader<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        rows.add(reader.read(row));
      }
    }
    return rows;
  }

  private static String firstLine(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("it failed");
  }
}
