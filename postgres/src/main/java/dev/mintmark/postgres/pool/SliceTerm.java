package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The time in which one instance may use its slice: from an answer of the database on, for the
 * lease less a margin, counted from before the request was sent. Immutable.
 *
 * <p>No clock is compared with another one. The database's end is its own time plus the lease, read
 * after the request was sent; so this term is over earlier, however long the answer took, unless
 * the clocks run at speeds that differ by more than the margin. The time that has passed is the
 * larger of what two clocks of this machine say: the monotonic clock stands still while some
 * machines are suspended, and the wall clock may be set back. If both are wrong, grants still have
 * ends by the database's clock that are before the end of the slice: {@link #end}.
 *
 * @param at the time by the database's clock, read after the request was sent
 * @param sent when the request was sent
 * @param length of the lease
 */
record SliceTerm(Instant at, Now sent, Duration length) {
  /** The part of a lease that is not used, beside {@link #MARGIN_MIN}. */
  private static final int MARGIN_PART = 200;

  private static final Duration MARGIN_MIN = Duration.ofMillis(50);

  /** The clocks of a machine. */
  interface Clocks {
    /** Those of this machine. */
    Clocks SYSTEM = () -> new Now(System.nanoTime(), System.currentTimeMillis());

    /** The present time. */
    Now now();
  }

  /** What the monotonic clock and the wall clock show. */
  record Now(long nanos, long wallMillis) {
    private Duration since(Now before) {
      long monotonic = nanos - before.nanos;
      long wall = (wallMillis - before.wallMillis) * 1_000_000;
      return Duration.ofNanos(Math.max(Math.max(monotonic, wall), 0));
    }
  }

  /** The time by the database's clock; it may be ahead by the time that the answer took. */
  Instant time(Now now) {
    return at.plus(now.since(sent));
  }

  private Instant bound() {
    return at.plus(length).minus(length.dividedBy(MARGIN_PART)).minus(MARGIN_MIN);
  }

  /** Whether the slice may still be used. */
  boolean isOver(Now now) {
    return !time(now).isBefore(bound());
  }

  /** The end of a claim that is granted now with a lease; empty if it would outlast the slice. */
  Optional<Instant> end(Now now, Duration lease) {
    Instant end = time(now).plus(lease);
    return end.isAfter(bound()) ? Optional.empty() : Optional.of(end);
  }

  /** Whether so long has passed since the request was sent. */
  boolean isOlderThan(Duration age, Now now) {
    return now.since(sent).compareTo(age) >= 0;
  }

  /** The time that has passed since the request was sent. */
  Duration age(Now now) {
    return now.since(sent);
  }
}
