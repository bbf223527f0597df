package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Map;

/** What a server reports about its open transactions, at one moment before a page is read. */
sealed interface ServerState {
  boolean standby();

  boolean readCommitted();

  /**
   * The starts of transactions, which the sessions of the database report.
   *
   * @param readAt the time on the server's clock, in milliseconds since 1970
   * @param oldestStartMillis when the oldest transaction began, rounded down, in milliseconds since
   *     1970
   * @param untracked the number of sessions with {@code track_activities} off, which report no
   *     start
   * @param unreported the number of other sessions in a transaction that report no start
   */
  record SessionStarts(
      boolean standby,
      boolean readCommitted,
      boolean seesSessions,
      long readAt,
      long oldestStartMillis,
      long untracked,
      long unreported)
      implements ServerState {
    private static final SqlFile SESSIONS = SqlFile.load(ServerState.class, "sessions");

    /** A worker may be read before it has reported its start. A few more reads find the start. */
    private static final int TRIES_MAX = 3;

    static SessionStarts read(Connection connection) throws SQLException {
      for (int tries = 1; ; tries++) {
        SessionStarts starts = readOnce(connection);
        if (starts.unreported() == 0 || tries == TRIES_MAX) {
          return starts;
        }
        try (PreparedStatement clear =
            connection.prepareStatement("select pg_catalog.pg_stat_clear_snapshot()")) {
          clear.execute();
        }
      }
    }

    private static SessionStarts readOnce(Connection connection) throws SQLException {
      return SESSIONS.query(connection, Map.of(), SessionStarts::of).get(0);
    }

    private static SessionStarts of(ResultSet row) throws SQLException {
      return new SessionStarts(
          row.getBoolean("is_standby"),
          row.getBoolean("is_read_committed"),
          row.getBoolean("sees_sessions"),
          millis(row, "read_at"),
          millis(row, "oldest_start"),
          row.getLong("untracked"),
          row.getLong("unreported"));
    }

    private static long millis(ResultSet row, String column) throws SQLException {
      return row.getObject(column, OffsetDateTime.class).toInstant().toEpochMilli();
    }

    /** Checks that no session can be in a transaction whose start it does not report. */
    void requireComplete(PageTable table) {
      if (!seesSessions) {
        throw table.refused(
            Condition.VISIBLE_SESSIONS,
            "this role may not see when the transactions of other sessions began: grant pg_read_all_stats to it");
      }
      if (untracked > 0 || unreported > 0) {
        throw table.refused(
            Condition.TRACKED_SESSIONS,
            "sessions do not report when their transaction began (track_activities off=%d, background workers=%d)"
                .formatted(untracked, unreported));
      }
    }
  }

  /**
   * The transactions that have ended, which a snapshot reports.
   *
   * @param written whether the transaction of the reader has an id
   * @param cluster the system identifier of the cluster
   */
  record SnapshotState(
      boolean standby, boolean readCommitted, Snapshot snapshot, boolean written, String cluster)
      implements ServerState {
    private static final SqlFile SNAPSHOT = SqlFile.load(ServerState.class, "snapshot");
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    static SnapshotState read(Connection connection, String table) throws SQLException {
      try {
        return SNAPSHOT.query(connection, Map.of(), SnapshotState::of).get(0);
      } catch (SQLException e) {
        if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
          PageRefusedException refused =
              new PageRefusedException(
                  table,
                  Condition.KNOWN_CLUSTER,
                  "this role may not read the identifier of the cluster: grant execute on function pg_control_system() to it");
          refused.initCause(e);
          throw refused;
        }
        throw e;
      }
    }

    private static SnapshotState of(ResultSet row) throws SQLException {
      return new SnapshotState(
          row.getBoolean("is_standby"),
          row.getBoolean("is_read_committed"),
          Snapshot.parse(row.getString("snapshot")),
          row.getBoolean("has_written"),
          row.getString("cluster"));
    }
  }

  /** Checks that the server is not a standby. */
  default void requirePrimary(PageTable table) {
    if (standby()) {
      throw table.refused(
          Condition.PRIMARY,
          "a standby does not know all open transactions: read from the primary");
    }
  }

  /** Checks that the page will be read in a later snapshot than this state. */
  default void requireReadCommitted(PageTable table) {
    if (!readCommitted()) {
      throw table.refused(
          Condition.READ_COMMITTED,
          "the transaction keeps one snapshot: expected isolation level read committed");
    }
  }
}
