package dev.mintmark;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The clock, the entropy, the clock policy and the greatest drift of a mint. Immutable.
 *
 * @param clock the clock; its milliseconds are read for every identifier
 * @param entropy the source of random bits; identifiers that leave the process need a
 *     cryptographically strong one such as {@link Entropy#strong()}. A mint synchronizes access to
 *     it, unless it is known to be thread-safe, as {@link java.util.Random} and its subclasses are
 * @param clockPolicy what to do if the next identifier would be ahead of the clock by more than the
 *     greatest drift; ignored for {@link Order#RANDOM} and {@link Order#MICROSECOND}, which follow
 *     their clock
 * @param maxDrift the time by which identifiers may be ahead of the clock before the policy
 *     decides: 0 to {@link #MAX_DRIFT_LIMIT}, in milliseconds, truncated. Snowflakes and TSIDs
 *     ignore it: the next process with the number of their node could repeat what is ahead of the
 *     clock
 */
public record MintOptions(
    InstantSource clock, RandomGenerator entropy, ClockPolicy clockPolicy, Duration maxDrift) {
  /** The greatest {@link #maxDrift}. */
  public static final Duration MAX_DRIFT_LIMIT = Duration.ofDays(365);

  /** The system's clock, strong entropy, and ascending order also if the clock steps back. */
  public static final MintOptions DEFAULT =
      new MintOptions(InstantSource.system(), Entropy.strong(), ClockPolicy.KEEP_ASCENDING);

  /**
   * Checks the components.
   *
   * @throws NullPointerException if one is null
   * @throws IllegalArgumentException if {@code maxDrift} is out of its range
   */
  public MintOptions {
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(entropy, "entropy");
    Objects.requireNonNull(clockPolicy, "clockPolicy");
    if (maxDrift.isNegative() || maxDrift.compareTo(MAX_DRIFT_LIMIT) > 0) {
      throw new IllegalArgumentException(
          "maxDrift " + maxDrift + ": expected 0 to " + MAX_DRIFT_LIMIT.toDays() + " days");
    }
  }

  /** Options whose policy decides as soon as an identifier would be ahead of the clock. */
  public MintOptions(InstantSource clock, RandomGenerator entropy, ClockPolicy clockPolicy) {
    this(clock, entropy, clockPolicy, Duration.ZERO);
  }

  public MintOptions withClock(InstantSource clock) {
    return new MintOptions(clock, entropy, clockPolicy, maxDrift);
  }

  public MintOptions withEntropy(RandomGenerator entropy) {
    return new MintOptions(clock, entropy, clockPolicy, maxDrift);
  }

  public MintOptions withClockPolicy(ClockPolicy clockPolicy) {
    return new MintOptions(clock, entropy, clockPolicy, maxDrift);
  }

  /**
   * The same options with another greatest drift.
   *
   * @throws IllegalArgumentException if it is negative or more than {@link #MAX_DRIFT_LIMIT}
   */
  public MintOptions withMaxDrift(Duration maxDrift) {
    return new MintOptions(clock, entropy, clockPolicy, maxDrift);
  }
}
