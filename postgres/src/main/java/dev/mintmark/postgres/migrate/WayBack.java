package dev.mintmark.postgres.migrate;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/** Whether old columns can hold what is in the new ones by now. */
final class WayBack {
  private WayBack() {}

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
   * Refuses the way back where it has ended.
   *
   * @throws MigrationException naming the column and how far past its end it is
   */
  static void check(Connection connection, long migration) throws SQLException {
    for (Limit limit : MigrationStore.limits(connection, migration)) {
      long greatest = greatest(connection, limit).orElse(Long.MIN_VALUE);
      if (greatest > limit.last()) {
        throw new MigrationException(
            "migration %d cannot be rolled back: the greatest value of %s is %d, %d past %d, the"
                    .formatted(
                        migration, limit.column(), greatest, greatest - limit.last(), limit.last())
                + " last one that the old column can hold; contract it instead");
      }
    }
  }
}
