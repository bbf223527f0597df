package dev.mintmark.operations.migrate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Whether the old columns can still represent every value of the new ones. */
final class RollbackWindow {
  private RollbackWindow() {}

  /** The greatest value there is now; empty where there is none. */
  static OptionalLong greatest(Connection connection, Limit limit) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(limit.query())) {
      if (!row.next()) {
        return OptionalLong.empty();
      }
      long value = row.getLong(1);
      return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }
  }

  /**
   * Returns whether a rollback is no longer possible.
   *
   * @return why: the column, and how far past its end it is
   */
  static Optional<String> end(Connection connection, List<Limit> limits) throws SQLException {
    for (Limit limit : limits) {
      long greatest = greatest(connection, limit).orElse(Long.MIN_VALUE);
      if (greatest > limit.last()) {
        return Optional.of(
            "the greatest value of %s is %d, %d past %d, the last one that the old column can hold"
                .formatted(limit.column(), greatest, greatest - limit.last(), limit.last()));
      }
    }
    return Optional.empty();
  }

  /**
   * The same, after locking the tables of the step: no session can pass the limit until the
   * transaction ends.
   */
  static Optional<String> lockedEnd(Connection connection, List<Limit> limits, Step step)
      throws SQLException {
    String tables =
        step.locks().stream()
            .filter(lock -> lock.mode() == TableLock.Mode.ACCESS_EXCLUSIVE)
            .map(TableLock::table)
            .distinct()
            .collect(Collectors.joining(", "));
    if (!limits.isEmpty() && !tables.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("lock table " + tables + " in access exclusive mode");
      }
    }
    return end(connection, limits);
  }
}
