package dev.mintmark.operations.migrate;

import dev.mintmark.DurationText;
import dev.mintmark.operations.migrate.RunnerSession.Bounds;
import dev.mintmark.postgres.internal.SqlFile;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes a run wait while the server is overloaded: while a standby is too far behind, a transaction
 * is too old, or too much write-ahead log is written. Asks about twice a second.
 */
final class Throttle {
  private static final SqlFile LOAD = SqlFile.load(Throttle.class, "load");

  private static final Duration INTERVAL = Duration.ofMillis(500);

  private final RunnerSession session;
  private final Pace pace;
  private final MigrationListener listener;
  private final WaitNotes waits;
  private @Nullable Load last;

  /** The first one whose write-ahead log some standby has not replayed yet, or the last one. */
  private @Nullable Load mark;

  private boolean hasToldWhatIsHidden;

  Throttle(RunnerSession session, Pace pace, MigrationListener listener, WaitNotes waits) {
    this.session = session;
    this.pace = pace;
    this.listener = listener;
    this.waits = waits;
  }

  /** What the server has to bear, at a moment. */
  private record Load(
      long nanos,
      boolean seesAll,
      Duration replicaLag,
      OptionalLong replayedBytes,
      Duration transactionAge,
      String transaction,
      long walBytes) {}

  /** Returns once the server can bear another batch. */
  void await(Step step) throws SQLException, PauseRequested {
    Load before = last;
    if (before != null && System.nanoTime() - before.nanos() < INTERVAL.toNanos()) {
      return;
    }
    boolean hasWaited = false;
    while (true) {
      Load now = session.transaction(Bounds.NOTES, Throttle::load);
      last = now;
      tellWhatIsHidden(step, now);
      Optional<String> reason = reasonToWait(before, now);
      if (reason.isEmpty()) {
        if (hasWaited) {
          waits.end();
        }
        return;
      }
      hasWaited = true;
      waits.await(step, reason.get(), INTERVAL);
      before = now;
    }
  }

  private static Load load(Connection connection) throws SQLException {
    return LOAD.query(connection, Map.of(), Throttle::readLoad).get(0);
  }

  private static Load readLoad(ResultSet row) throws SQLException {
    return new Load(
        System.nanoTime(),
        row.getBoolean("sees_all"),
        seconds(row.getBigDecimal("replica_lag_seconds")),
        number(row, "replayed_bytes"),
        seconds(row.getBigDecimal("transaction_age_seconds")),
        "%s (%s)"
            .formatted(row.getString("transaction_pid"), row.getString("transaction_application")),
        row.getLong("wal_bytes"));
  }

  private static OptionalLong number(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
  }

  private static Duration seconds(BigDecimal seconds) {
    return Duration.ofMillis(seconds.movePointRight(3).longValue());
  }

  private void tellWhatIsHidden(Step step, Load now) {
    if (!now.seesAll() && !hasToldWhatIsHidden) {
      hasToldWhatIsHidden = true;
      listener.waiting(
          step,
          "does not wait for standbys and transactions of other roles, which it cannot see:"
              + " grant pg_read_all_stats to its role",
          Duration.ZERO);
    }
  }

  private Optional<String> reasonToWait(@Nullable Load before, Load now) {
    Duration replicaLag = replicaLag(now);
    if (replicaLag.compareTo(pace.replicaLagMax()) > 0) {
      return Optional.of(
          "a standby is %s behind: expected %s at most"
              .formatted(
                  DurationText.format(replicaLag), DurationText.format(pace.replicaLagMax())));
    }
    if (now.transactionAge().compareTo(pace.transactionAgeMax()) > 0) {
      return Optional.of(
          "the transaction of process %s is %s old: expected %s at most"
              .formatted(
                  now.transaction(),
                  DurationText.format(now.transactionAge()),
                  DurationText.format(pace.transactionAgeMax())));
    }
    if (before != null) {
      double seconds = (now.nanos() - before.nanos()) / 1e9;
      double rate = (now.walBytes() - before.walBytes()) / seconds;
      if (rate > pace.walBytesPerSecondMax()) {
        return Optional.of(
            "%s bytes of write-ahead log a second: expected %s at most"
                .formatted((long) rate, pace.walBytesPerSecondMax()));
      }
    }
    return Optional.empty();
  }

  /**
   * The lag that the server reports does not grow while a standby is stopped: so it is also timed
   * here.
   */
  private Duration replicaLag(Load now) {
    Load written = mark;
    if (written == null || now.replayedBytes().orElse(Long.MAX_VALUE) >= written.walBytes()) {
      mark = now;
      return now.replicaLag();
    }
    Duration since = Duration.ofNanos(now.nanos() - written.nanos());
    return since.compareTo(now.replicaLag()) > 0 ? since : now.replicaLag();
  }
}
