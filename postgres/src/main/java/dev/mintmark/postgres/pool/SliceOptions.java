package dev.mintmark.postgres.pool;

import dev.mintmark.DurationText;
import dev.mintmark.Experimental;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.ClaimName;
import java.time.Duration;
import java.util.Optional;

/**
 * How one instance leases slices of a pool.
 *
 * @param instance the name that clients of other instances are given ({@link
 *     ClaimResult.Elsewhere}), such as the host and port of this instance: 1 to {@value
 *     ClaimRequest#NAME_LENGTH_MAX} characters, no control characters
 * @param lease how long a slice is leased without a renewal: at least 500 ms longer than the lease
 *     of the pool. It decides how long the values of an instance that was killed stay unused, and
 *     for how long an instance grants values while the database does not answer. Empty: the lease
 *     of the pool and the same again, of which at least 10 s and at most 60 s
 * @param valuesMax the most values that are kept in the slice, and the most of one claim: 1 to
 *     {@value #VALUES_MAX}
 * @param journal when grants are recorded in the database
 */
@Experimental
public record SliceOptions(
    String instance, Optional<Duration> lease, int valuesMax, Journal journal) {
  /** The most values of one slice. */
  public static final int VALUES_MAX = 65_536;

  /** The time that a slice must outlast the lease of its pool. */
  static final Duration LONGER_MIN = Duration.ofMillis(500);

  private static final int VALUES_MAX_BY_DEFAULT = 4_096;
  private static final Duration LONGER_BY_DEFAULT_MIN = Duration.ofSeconds(10);
  private static final Duration LONGER_BY_DEFAULT_MAX = Duration.ofSeconds(60);

  /** When a grant is recorded in the database. */
  public enum Journal {
    /**
     * Within milliseconds after the answer. If the instance is killed before, the client holds its
     * value until the end of the lease, but cannot renew or release it.
     */
    AFTER_ANSWER,
    /** Before the answer: a claim waits for the database, and nothing that was answered is lost. */
    BEFORE_ANSWER
  }

  public SliceOptions {
    ClaimName.check("instance", instance);
    if (valuesMax < 1 || valuesMax > VALUES_MAX) {
      throw new IllegalArgumentException(
          "valuesMax is %s: expected 1 to %s".formatted(valuesMax, VALUES_MAX));
    }
  }

  /** The options of an instance with a name, as by default. */
  public static SliceOptions of(String instance) {
    return new SliceOptions(
        instance, Optional.empty(), VALUES_MAX_BY_DEFAULT, Journal.AFTER_ANSWER);
  }

  /** The same with a lease of slices. */
  public SliceOptions withLease(Duration lease) {
    return new SliceOptions(instance, Optional.of(lease), valuesMax, journal);
  }

  /** The same with a limit of the values in the slice. */
  public SliceOptions withValuesMax(int valuesMax) {
    return new SliceOptions(instance, lease, valuesMax, journal);
  }

  /** The same with another time at which grants are recorded. */
  public SliceOptions withJournal(Journal journal) {
    return new SliceOptions(instance, lease, valuesMax, journal);
  }

  /**
   * Returns the lease of slices of a pool.
   *
   * @param ofPool the lease of the pool
   * @throws IllegalArgumentException if it is not longer than that of the pool
   */
  Duration leaseFor(Duration ofPool) {
    Duration length = lease.orElseGet(() -> ofPool.plus(clamp(ofPool)));
    if (length.compareTo(ofPool.plus(LONGER_MIN)) < 0
        || length.compareTo(PoolSpec.DURATION_MAX) > 0) {
      throw new IllegalArgumentException(
          "lease of slices is %s: expected %s, for the pool's lease of %s, to %s"
              .formatted(
                  DurationText.format(length),
                  DurationText.format(ofPool.plus(LONGER_MIN)),
                  DurationText.format(ofPool),
                  DurationText.format(PoolSpec.DURATION_MAX)));
    }
    return length;
  }

  private static Duration clamp(Duration length) {
    if (length.compareTo(LONGER_BY_DEFAULT_MIN) < 0) {
      return LONGER_BY_DEFAULT_MIN;
    }
    return length.compareTo(LONGER_BY_DEFAULT_MAX) > 0 ? LONGER_BY_DEFAULT_MAX : length;
  }
}
