package dev.mintmark;

import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The clock, the entropy and the clock policy of a mint. Immutable.
 *
 * @param clock the clock; its milliseconds are read for every identifier
 * @param entropy the source of random bits; identifiers that leave the process need a
 *     cryptographically strong one such as {@link Entropy#strong()}. A mint synchronizes access to
 *     it, unless it is known to be thread-safe, as {@link java.util.Random} and its subclasses are
 * @param clockPolicy what to do if the next identifier would be ahead of the clock; ignored for
 *     {@link Order#RANDOM} and {@link Order#MICROSECOND}, which follow their clock
 */
public record MintOptions(InstantSource clock, RandomGenerator entropy, ClockPolicy clockPolicy) {
  /** The system's clock, strong entropy, and ascending order also if the clock steps back. */
  public static final MintOptions DEFAULT =
      new MintOptions(InstantSource.system(), Entropy.strong(), ClockPolicy.KEEP_ASCENDING);

  /**
   * Checks the components.
   *
   * @throws NullPointerException if one is null
   */
  public MintOptions {
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(entropy, "entropy");
    Objects.requireNonNull(clockPolicy, "clockPolicy");
  }

  public MintOptions withClock(InstantSource clock) {
    return new MintOptions(clock, entropy, clockPolicy);
  }

  public MintOptions withEntropy(RandomGenerator entropy) {
    return new MintOptions(clock, entropy, clockPolicy);
  }

  public MintOptions withClockPolicy(ClockPolicy clockPolicy) {
    return new MintOptions(clock, entropy, clockPolicy);
  }
}
