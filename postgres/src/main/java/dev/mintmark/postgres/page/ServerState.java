package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
            "sessions do not report when their transaction began (track_activities off=%s, background workers=%s)"
                .formatted(untracked, unreported));
      }
    }
  }

  /**
   * The transactions that have ended, which a snapshot reports.
   *
   * @param written whether the transaction of the reader has an id
   * @param origin the cluster and where its history is
   */
  record SnapshotState(
      boolean standby, boolean readCommitted, Snapshot snapshot, boolean written, Origin origin)
      implements ServerState {
    private static final SqlFile SNAPSHOT = SqlFile.load(ServerState.class, "snapshot");
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    /** A feature is not supported; an object is not in the required state. */
    private static final Set<String> NOT_SUPPORTED = Set.of("0A000", "55000");

    static SnapshotState read(PageReader<?> reader) throws SQLException {
      boolean withHistory = reader.afterFailover() != AfterFailover.UNCHECKED;
      try {
        return SNAPSHOT
            .query(reader.connection(), Map.of("with_history", withHistory), SnapshotState::of)
            .get(0);
      } catch (SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (state.equals(INSUFFICIENT_PRIVILEGE)) {
          throw unknownCluster(
              reader,
              "this role may not read the identifier and the timeline of the cluster (%s): grant execute on that function to it",
              e);
        }
        if (withHistory && NOT_SUPPORTED.contains(state)) {
          throw unknownCluster(
              reader,
              "the server does not report its timeline or log position (%s): declare AfterFailover.UNCHECKED, and start from the first page after each failover",
              e);
        }
        throw e;
      }
    }

    private static PageRefusedException unknownCluster(
        PageReader<?> reader, String why, SQLException cause) {
      PageRefusedException refused =
          new PageRefusedException(
              reader.definition().table(),
              Condition.KNOWN_CLUSTER,
              why.formatted(cause.getMessage()));
      refused.initCause(cause);
      return refused;
    }

    private static SnapshotState of(ResultSet row) throws SQLException {
      return new SnapshotState(
          row.getBoolean("is_standby"),
          row.getBoolean("is_read_committed"),
          Snapshot.parse(row.getString("snapshot")),
          row.getBoolean("has_written"),
          new Origin(row.getString("cluster"), history(row)));
    }

    private static Optional<HistoryPoint> history(ResultSet row) throws SQLException {
      String timeline = row.getString("timeline");
      return timeline == null
          ? Optional.empty()
          : Optional.of(
              new HistoryPoint(
                  HexFormat.fromHexDigitsToLong(timeline), row.getLong("wal_position")));
    }

    /**
     * Checks that this server continues the history that a cursor was read from.
     *
     * @param seen where the history was; empty if the cursor has seen nothing, or does not say
     */
    void requireHistory(Optional<HistoryPoint> seen, PageReader<?> reader) {
      if (seen.isEmpty() || origin.history().isEmpty()) {
        return;
      }
      HistoryPoint now = origin.history().get();
      if (reader.afterFailover() == AfterFailover.REFUSE) {
        now.requireNoFailover(seen.get(), reader.definition().order());
      }
      if (!standby) {
        now.requireNotSetBack(seen.get());
      }
    }

    /** Returns whether this is a standby that has not reached the timeline of a cursor yet. */
    boolean isBehind(Optional<HistoryPoint> seen) {
      return standby
          && seen.isPresent()
          && origin.history().filter(now -> now.isOnEarlierTimelineThan(seen.get())).isPresent();
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
