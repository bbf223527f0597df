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

  /** The value that is nearest to an end now, or beyond it; empty where there is none. */
  static OptionalLong outermost(Connection connection, Limit limit) throws SQLException {
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
   * @return why: the column, and how far past an end of its range it is
   */
  static Optional<String> end(Connection connection, List<Limit> limits) throws SQLException {
    for (Limit limit : limits) {
      OptionalLong value = outermost(connection, limit);
      if (value.isPresent() && Limit.reach(value.getAsLong()) > limit.last()) {
        return Optional.of(past(limit, value.getAsLong()));
      }
    }
    return Optional.empty();
  }

  private static String past(Limit limit, long value) {
    boolean below = value < 0;
    return "the %s value of %s is %d, %d past %d, the last one that the old column can hold"
        .formatted(
            below ? "least" : "greatest",
            limit.column(),
            value,
            Limit.reach(value) - limit.last(),
            below ? ~limit.last() : limit.last());
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
