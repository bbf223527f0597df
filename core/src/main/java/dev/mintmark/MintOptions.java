package dev.mintmark;

import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What a mint takes its identifiers from. Immutable.
 *
 * @param clock tells the time; its milliseconds are read for every identifier
 * @param entropy where random bits are drawn from; identifiers that leave the process want one that
 *     is cryptographically strong, as {@link Entropy#strong()} is. A mint lets threads in one by
 *     one where it is not known to be safe for them, as {@link java.util.Random} and its kin are
 * @param clockPolicy what to do when the next identifier would be ahead of the clock; without a
 *     meaning for {@link Order#RANDOM} and {@link Order#MICROSECOND}, which follow their clock
 */
public record MintOptions(InstantSource clock, RandomGenerator entropy, ClockPolicy clockPolicy) {
  /** The system's clock, strong entropy, and keeping the order whatever the clock does. */
  public static final MintOptions DEFAULT =
      new MintOptions(InstantSource.system(), Entropy.strong(), ClockPolicy.KEEP_ASCENDING);

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
