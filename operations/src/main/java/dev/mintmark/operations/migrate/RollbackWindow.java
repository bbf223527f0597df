package dev.mintmark.operations.migrate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
    return "the %s value of %s is %s, %s past %s, the last one that the old column can hold"
        .formatted(
            below ? "least" : "greatest",
            limit.column(),
            value,
            Limit.reach(value) - limit.last(),
            below ? ~limit.last() : limit.last());
  }

  /**
   * The same, after the locks with which the undo of a step begins: no session can pass the limit
   * of a column until the transaction ends.
   */
  static Optional<String> lockedEnd(Connection connection, List<Limit> limits, Step step)
      throws SQLException {
    List<String> locks = locks(step.undo());
    if (!limits.isEmpty() && !locks.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(String.join("\n;\n", locks));
      }
    }
    return end(connection, limits);
  }

  /** The statements up to the one that locks the tables; none if there is none. */
  private static List<String> locks(List<String> undo) {
    for (int i = 0; i < undo.size(); i++) {
      if (undo.get(i).startsWith("lock table ")) {
        return undo.subList(0, i + 1);
      }
    }
    return List.of();
  }
}
