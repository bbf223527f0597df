package dev.mintmark.app.service;

import dev.mintmark.MintException;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Mints UUIDv7s as draft-peabody-dispatch-new-uuid-format of 2021 defined them, with milliseconds.
 * They ascend. Only for reading and comparison: RFC 9562 has another layout.
 *
 * <pre>
 *   061ff8d8e 24b 7 000 8092ca1e5440d491
 *   36 bits   |   | |   62 random bits after the variant
 *   seconds   |   | 12 bits: counter within the millisecond, from 0
 *             |   version
 *             12 bits: milliseconds of the second
 * </pre>
 *
 * <p>Safe in any number of threads. After 4,096 in a millisecond, and after the clock stepped back,
 * the next one has the last time or the millisecond after it, ahead of the clock. A mint of a fixed
 * time fails then.
 */
public final class DraftUuidMint {
  private static final long SECONDS_MAX = (1L << 36) - 1;
  private static final int COUNTER_MAX = (1 << 12) - 1;
  private static final long VERSION_BITS = 0x7000;
  private static final long VARIANT_BITS = 0x8000_0000_0000_0000L;

  private final InstantSource clock;
  private final RandomGenerator entropy;
  private final boolean isFixed;
  private long millis = -1;
  private int counter;

  DraftUuidMint(InstantSource clock, RandomGenerator entropy, boolean isFixed) {
    this.clock = clock;
    this.entropy = entropy;
    this.isFixed = isFixed;
  }

  /**
   * Returns the next one.
   *
   * @throws IllegalArgumentException if the clock is before 1970 or after 4147
   * @throws MintException if a fixed time has no room for another one
   */
  synchronized UUID mint() {
    long now = clock.millis();
    if (now < 0 || now / 1000 > SECONDS_MAX) {
      throw new IllegalArgumentException(
          "time "
              + clock.instant()
              + ": expected 1970-01-01T00:00:00Z to 4147-08-20T07:32:15.999Z");
    }
    if (now > millis) {
      millis = now;
      counter = 0;
    } else if (counter == COUNTER_MAX) {
      if (isFixed) {
        throw new MintException(
            "time %s has room for %,d of kind uuidv7-draft: all are minted"
                .formatted(clock.instant(), COUNTER_MAX + 1));
      }
      millis++;
      counter = 0;
    } else {
      counter++;
    }
    long seconds = millis / 1000;
    return new UUID(
        seconds << 28 | millis % 1000 << 16 | VERSION_BITS | counter,
        entropy.nextLong() >>> 2 | VARIANT_BITS);
  }
}
