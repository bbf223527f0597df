package dev.mintmark.operations.migrate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Whether a role may fill rows without firing the triggers that others made: as a replica does
 * (setting {@code session_replication_role}). Rows that a migration fills have not changed for
 * anybody, and a trigger that notes the time of a change or writes an audit would say they had.
 */
final class QuietTriggers {
  /** From here on a superuser can let others do it. */
  private static final int SERVER_WITH_PRIVILEGE = 15;

  private QuietTriggers() {}

  static boolean areAllowed(Connection connection) throws SQLException {
    boolean canBeGranted =
        connection.getMetaData().getDatabaseMajorVersion() >= SERVER_WITH_PRIVILEGE;
    String sql =
        canBeGranted
            ? "select pg_catalog.has_parameter_privilege('session_replication_role', 'set')"
            : "select pg_catalog.current_setting('is_superuser')::boolean";
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
