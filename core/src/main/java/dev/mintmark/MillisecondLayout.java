package dev.mintmark;

import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The bit layouts of the kinds that start with 48 bits of milliseconds: all that a mint needs of a
 * kind. Methods receive 128 random bits and use as many as they have room for.
 *
 * @param <T> the type of the values
 */
sealed interface MillisecondLayout<T> {
  MillisecondLayout<Ulid> ULID = new OfUlid();
  MillisecondLayout<UUID> UUID_V7 = new OfUuidV7();

  /** The number of values of the counter of {@link #counted}. */
  int COUNTER_END = 1 << 20;

  int TIME_SHIFT = 16;

  /** The first instant that 48 bits of milliseconds cannot represent. */
  Instant END = Instant.ofEpochMilli(Ulid.TIME_MILLIS_MAX + 1);

  /** All bits after the millisecond are random. */
  T random(long millis, Ulid random);

  /** The counter, below {@link #COUNTER_END}, precedes random bits. */
  T counted(long millis, long counter, Ulid random);

  /** The elapsed part of the millisecond precedes random bits. */
  T precise(long millis, int nanosOfMilli, Ulid random);

  /** Whether {@link #sum} has room for this number. */
  boolean hasSum(Ulid start, long addend);

  /** All bits after the millisecond are those of {@code start} plus a number. */
  T sum(long millis, Ulid start, long addend);

  /** The step between an identifier and the one before it, for {@link #sum}. */
  long step(RandomGenerator entropy);

  /** The least identifier of a millisecond. */
  T min(long millis);

  /** The greatest identifier of a millisecond. */
  T max(long millis);

  /** Returns {@code millis} if 48 bits can hold them. */
  private static long checked(long millis) {
    if (millis >>> 48 != 0) {
      throw outOfRange(Instant.ofEpochMilli(millis));
    }
    return millis;
  }

  /** Returns the time of the clock if 48 bits can hold it. */
  static long now(InstantSource clock) {
    try {
      return checked(clock.millis());
    } catch (ArithmeticException e) {
      throw outOfRange(clock.instant());
    }
  }

  /** Returns the milliseconds of an instant, truncated, if 48 bits can hold them. */
  static long millis(Instant time) {
    if (time.isBefore(Instant.EPOCH) || !time.isBefore(END)) {
      throw outOfRange(time);
    }
    return time.toEpochMilli();
  }

  private static IllegalArgumentException outOfRange(Instant time) {
    return new IllegalArgumentException(
        "time "
            + time
            + ": expected "
            + Form.timeText(Instant.EPOCH)
            + " to "
            + Form.timeText(END.minusMillis(1)));
  }

  /**
   *
   *
   * <pre>
   *   bits   0           48        68                 128
   *          |   millis  | counter |      random       |
   *          |   millis  | µs |        random          |
   *                           58
   * </pre>
   */
  final class OfUlid implements MillisecondLayout<Ulid> {
    private static final long HIGH_RANDOM = 0xFFFFL;

    @Override
    public Ulid random(long millis, Ulid random) {
      return Ulid.of(
          millis << TIME_SHIFT | (random.mostSignificantBits() & HIGH_RANDOM),
          random.leastSignificantBits());
    }

    @Override
    public Ulid counted(long millis, long counter, Ulid random) {
      return Ulid.of(
          millis << TIME_SHIFT | counter >>> 4,
          counter << 60 | random.leastSignificantBits() >>> 4);
    }

    @Override
    public Ulid precise(long millis, int nanosOfMilli, Ulid random) {
      long micros = nanosOfMilli / 1000;
      return Ulid.of(
          millis << TIME_SHIFT | micros << 6 | (random.mostSignificantBits() & 0x3F),
          random.leastSignificantBits());
    }

    @Override
    public boolean hasSum(Ulid start, long addend) {
      return (start.mostSignificantBits() & HIGH_RANDOM) + carry(start, addend) <= HIGH_RANDOM;
    }

    @Override
    public Ulid sum(long millis, Ulid start, long addend) {
      long high = (start.mostSignificantBits() & HIGH_RANDOM) + carry(start, addend);
      return Ulid.of(millis << TIME_SHIFT | high, start.leastSignificantBits() + addend);
    }

    @Override
    public long step(RandomGenerator entropy) {
      return 1;
    }

    @Override
    public Ulid min(long millis) {
      return Ulid.of(millis << TIME_SHIFT, 0);
    }

    @Override
    public Ulid max(long millis) {
      return Ulid.of(millis << TIME_SHIFT | HIGH_RANDOM, -1);
    }

    private static int carry(Ulid start, long addend) {
      long low = start.leastSignificantBits();
      return Long.compareUnsigned(low + addend, low) < 0 ? 1 : 0;
    }
  }

  /**
   *
   *
   * <pre>
   *   bits   0           48  52         64  66                  128
   *          |   millis  | 7 | counter  | 2 | counter | random   |
   *          |   millis  | 7 | fraction | 2 |      random        |
   *                            12 bits        8 bits
   * </pre>
   */
  final class OfUuidV7 implements MillisecondLayout<UUID> {
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long RAND_A = 0xFFFL;
    private static final long RAND_B = 0x3FFF_FFFF_FFFF_FFFFL;
    private static final int NANOS_PER_MILLI = 1_000_000;

    @Override
    public UUID random(long millis, Ulid random) {
      return of(millis, random.mostSignificantBits(), random.leastSignificantBits());
    }

    @Override
    public UUID counted(long millis, long counter, Ulid random) {
      return of(
          millis, counter >>> 8, (counter & 0xFF) << 54 | random.leastSignificantBits() >>> 10);
    }

    @Override
    public UUID precise(long millis, int nanosOfMilli, Ulid random) {
      long fraction = ((long) nanosOfMilli << 12) / NANOS_PER_MILLI;
      return of(millis, fraction, random.leastSignificantBits());
    }

    @Override
    public boolean hasSum(Ulid start, long addend) {
      return randA(start) + carry(start, addend) <= RAND_A;
    }

    @Override
    public UUID sum(long millis, Ulid start, long addend) {
      return of(
          millis,
          randA(start) + carry(start, addend),
          (start.leastSignificantBits() & RAND_B) + addend);
    }

    @Override
    public long step(RandomGenerator entropy) {
      return 1 + (entropy.nextLong() >>> 32);
    }

    @Override
    public UUID min(long millis) {
      return of(millis, 0, 0);
    }

    @Override
    public UUID max(long millis) {
      return of(millis, RAND_A, RAND_B);
    }

    /** In the lower half of its range, so that no millisecond starts shortly before its end. */
    private static long randA(Ulid start) {
      return start.mostSignificantBits() & RAND_A >>> 1;
    }

    private static long carry(Ulid start, long addend) {
      return ((start.leastSignificantBits() & RAND_B) + addend) >>> 62;
    }

    private static UUID of(long millis, long randA, long randB) {
      return new UUID(
          millis << TIME_SHIFT | VERSION | (randA & RAND_A), VARIANT | (randB & RAND_B));
    }
  }
}
