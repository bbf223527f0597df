package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.util.Optional;

/**
 * How {@link Claimer} sends requests, and until when.
 *
 * @param waits whether they wait for rows that other sessions have locked
 * @param since when they began to wait
 * @param parts since when parts of the batch are sent; empty: the batch is sent as a whole
 */
record Sending(boolean waits, Backoff since, Optional<Backoff> parts) {
  /** How long each of the parts is held up: the row is locked for some time already. */
  private static final Duration PART_PATIENCE = Duration.ofMillis(10);

  /**
   * How long a claim waits for a lock that has waited for its turn already: longer than
   * transactions of pools take.
   */
  private static final Duration LAST_PATIENCE = Duration.ofMillis(100);

  /** How long a batch is sent in parts, since all its rows may be locked. */
  private static final Duration PARTS_MAX = Duration.ofSeconds(1);

  /** How often a batch that does not wait is sent if all free values are locked: 28 ms at most. */
  private static final int QUICK_ROUNDS_MAX = 4;

  /** As a batch that does not wait. */
  static Sending quick() {
    return new Sending(false, new Backoff(), Optional.empty());
  }

  /**
   * Requests that wait.
   *
   * @param sinceNanos when the last of them began to wait
   */
  static Sending waiting(long sinceNanos) {
    return new Sending(true, new Backoff(sinceNanos), Optional.empty());
  }

  Sending inParts() {
    return parts.isPresent() ? this : new Sending(waits, since, Optional.of(new Backoff()));
  }

  /** Whether it is sent as a batch for whose rows no claim waits. */
  boolean isQuick() {
    return !waits && parts.isEmpty();
  }

  /** How long a statement waits for a lock. */
  Duration lockLimit() {
    if (parts.isPresent()) {
      return PART_PATIENCE;
    }
    return waits ? patienceLeft(since) : Claimer.BATCH_PATIENCE;
  }

  /** How long a claim may still wait for a lock. One whose patience is over tries once more. */
  static Duration patienceLeft(Backoff since) {
    Duration left = Claimer.PATIENCE.minus(since.elapsed());
    return left.compareTo(LAST_PATIENCE) < 0 ? LAST_PATIENCE : left;
  }

  boolean mayBeParted() {
    return parts.filter(began -> began.elapsed().compareTo(PARTS_MAX) >= 0).isEmpty();
  }

  /**
   * Whether requests without a result are not sent again.
   *
   * @param rounds in which they were sent
   * @param isLate whether the last round began after {@link Claimer#PATIENCE}
   */
  boolean isOver(Backoff rounds, boolean isLate) {
    return waits
        ? rounds.pauses() > 0 && since.elapsed().compareTo(Claimer.PATIENCE) >= 0
        : isLate || rounds.pauses() == QUICK_ROUNDS_MAX - 1;
  }
}
