package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Map;

/** What a server says of the transactions that are open, at one moment before a page is read. */
sealed interface Session {
  boolean standby();

  boolean readCommitted();

  /**
   * As the sessions of a database tell it.
   *
   * @param readAt the time of the server's clock, in milliseconds since 1970
   * @param oldestStartMillis when the oldest transaction began, rounded down
   * @param untracked sessions that do not tell
   * @param silent background workers that are in a transaction, but do not tell
   */
  record Starts(
      boolean standby,
      boolean readCommitted,
      boolean seesSessions,
      long readAt,
      long oldestStartMillis,
      long untracked,
      long silent)
      implements Session {
    private static final SqlFile SESSIONS = SqlFile.load(Session.class, "sessions");

    /** A worker may be seen between its first words and its start; it is not again and again. */
    private static final int TRIES_MAX = 3;

    static Starts read(Connection connection) throws SQLException {
      for (int tries = 1; ; tries++) {
        Starts starts = readOnce(connection);
        if (starts.silent() == 0 || tries == TRIES_MAX) {
          return starts;
        }
        try (PreparedStatement clear =
            connection.prepareStatement("select pg_stat_clear_snapshot()")) {
          clear.execute();
        }
      }
    }

    private static Starts readOnce(Connection connection) throws SQLException {
      return SESSIONS.query(connection, Map.of(), Starts::of).get(0);
    }

    private static Starts of(ResultSet row) throws SQLException {
      return new Starts(
          row.getBoolean("is_standby"),
          row.getBoolean("is_read_committed"),
          row.getBoolean("sees_sessions"),
          millis(row, "read_at"),
          millis(row, "oldest_start"),
          row.getLong("untracked"),
          row.getLong("silent"));
    }

    private static long millis(ResultSet row, String column) throws SQLException {
      return row.getObject(column, OffsetDateTime.class).toInstant().toEpochMilli();
    }

    /** Checks that no session can be in a transaction whose start it does not tell. */
    void requireComplete(PageTable table) {
      if (!seesSessions) {
        throw table.refused(
            Condition.VISIBLE_SESSIONS,
            "this role may not see when other sessions' transactions began: grant pg_read_all_stats to it");
      }
      if (untracked > 0 || silent > 0) {
        throw table.refused(
            Condition.TRACKED_SESSIONS,
            "sessions do not tell when their transaction began (track_activities off=%d, background workers=%d)"
                .formatted(untracked, silent));
      }
    }
  }

  /**
   * As a snapshot tells it.
   *
   * @param written whether the reader's transaction has an id
   * @param cluster the system identifier
   */
  record Ended(
      boolean standby, boolean readCommitted, Snapshot snapshot, boolean written, String cluster)
      implements Session {
    private static final SqlFile SNAPSHOT = SqlFile.load(Session.class, "snapshot");
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    static Ended read(Connection connection, String table) throws SQLException {
      try {
        return SNAPSHOT.query(connection, Map.of(), Ended::of).get(0);
      } catch (SQLException e) {
        if (INSUFFICIENT_PRIVILEGE.equals(e.getSQLState())) {
          PageRefusedException refused =
              new PageRefusedException(
                  table,
                  Condition.KNOWN_CLUSTER,
                  "this role may not ask which cluster this is: grant execute on function pg_control_system() to it");
          refused.initCause(e);
          throw refused;
        }
        throw e;
      }
    }

    private static Ended of(ResultSet row) throws SQLException {
      return new Ended(
          row.getBoolean("is_standby"),
          row.getBoolean("is_read_committed"),
          Snapshot.parse(row.getString("snapshot")),
          row.getBoolean("has_written"),
          row.getString("cluster"));
    }
  }

  /** Checks that this is no standby. */
  default void requirePrimary(PageTable table) {
    if (standby()) {
      throw table.refused(
          Condition.PRIMARY,
          "a standby does not know all transactions that are open: ask the primary");
    }
  }

  /** Checks that the page will be read in a later snapshot than this. */
  default void requireReadCommitted(PageTable table) {
    if (!readCommitted()) {
      throw table.refused(
          Condition.READ_COMMITTED,
          "the transaction keeps one snapshot: expected isolation level read committed");
    }
  }
}
