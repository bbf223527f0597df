package dev.mintmark;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures of a kind of identifier: its bits of time and randomness, its order, its last year
 * and the odds of a collision. A table with one row for each scheme, for comparison; figures that
 * follow from a row are computed.
 *
 * <p><b>Collisions.</b> Identifiers are assumed to arrive at random at a constant rate. Two of one
 * tick are equal with a probability of 2^-d, where d is the number of bits that distinguish mints.
 * So in a time T, at a rate r with a tick t, the number of equal pairs is
 *
 * <pre>
 *   rT * rt / 2 / 2^d      on average, and there is one at all with odds of 1 - exp(-that)
 * </pre>
 *
 * Without a clock the tick is the whole time. This is the worst case, in which every identifier
 * comes from a separate mint; an ascending mint never repeats an identifier.
 *
 * <p>An even chance within one tick requires about 1.18 times the square root of 2^d identifiers.
 * For the ULID with microseconds, d is 70: that is 4.05e10, and at 2^35 = 3.4e10, which is often
 * quoted for it, the odds are 0.39.
 *
 * <pre>{@code
 * Scheme.ULID.lastTime();                                     // +10889-08-02T05:31:50.655Z
 * Scheme.UUIDV7.collisionOdds(1_000_000, Duration.ofDays(365)); // 8.3e-7
 * }</pre>
 */
public enum Scheme {
  /** The ULID specification, in {@link Order#RANDOM}. */
  ULID("ulid", Clock.MILLIS, 80, 80, Sorting.BY_TICK, 16, 26),
  /**
   * In {@link Order#ASCENDING}: a counter of 20 bits, which starts at random in the lower half, and
   * 60 new bits.
   */
  ULID_ASCENDING("ulid ascending", Clock.MILLIS, 60, 79, Sorting.ASCENDING, 16, 26),
  /** In {@link Order#SPEC}: 80 random bits in the first of a millisecond, counted up by one. */
  ULID_SPEC("ulid spec", Clock.MILLIS, 0, 80, Sorting.ASCENDING, 16, 26),
  /** In {@link Order#MICROSECOND}: 10 more bits of time. */
  ULID_MICROSECOND(
      "ulid microsecond", Clock.MILLIS.finer(10, 1000), 70, 70, Sorting.BY_TICK, 16, 26),
  /** RFC 9562 section 5.7, in {@link Order#RANDOM}. */
  UUIDV7("uuidv7", Clock.MILLIS, 74, 74, Sorting.BY_TICK, 16, 36),
  /**
   * In {@link Order#ASCENDING}: a counter of 20 bits, which starts at random in the lower half, and
   * 54 new bits.
   */
  UUIDV7_ASCENDING("uuidv7 ascending", Clock.MILLIS, 54, 73, Sorting.ASCENDING, 16, 36),
  /** In {@link Order#SPEC}: 73 random bits in the first of a millisecond, then random steps. */
  UUIDV7_SPEC("uuidv7 spec", Clock.MILLIS, 32, 73, Sorting.ASCENDING, 16, 36),
  /** In {@link Order#MICROSECOND}: 12 more bits of time. */
  UUIDV7_MICROSECOND(
      "uuidv7 microsecond", Clock.MILLIS.finer(12, 4096), 62, 62, Sorting.BY_TICK, 16, 36),
  /** The draft of 2021: 36 bits of seconds, 12 of milliseconds, a counter that starts at 0. */
  UUIDV7_DRAFT(
      "uuidv7 draft", Clock.seconds(36, 0).finer(12, 1000), 62, 62, Sorting.ASCENDING, 16, 36),
  /** RFC 9562 section 5.6, with clock sequence and node drawn anew for each, as it recommends. */
  UUIDV6("uuidv6", Clock.GREGORIAN, 61, 61, Sorting.BY_TICK, 16, 36),
  /** RFC 9562 section 5.1, with the address of the machine; lowest bits of the time first. */
  UUIDV1("uuidv1", Clock.GREGORIAN, 0, 0, Sorting.NONE, 16, 36),
  /** RFC 9562 section 5.4. */
  UUIDV4("uuidv4", Clock.NONE, 122, 122, Sorting.NONE, 16, 36),
  /** The TypeID specification: a UUIDv7 after a prefix, which is not counted here. */
  TYPEID("typeid", Clock.MILLIS, 74, 74, Sorting.BY_TICK, 16, 26),
  /** 21 characters of an alphabet of 64. */
  NANOID("nanoid", Clock.NONE, 126, 126, Sorting.NONE, 21, 21),
  /** A {@code bigint} that a database counts up; a prefix is not counted here. */
  SEQUENCE_BIGINT("sequence bigint", Clock.NONE, 0, 0, Sorting.ASCENDING, 8, 19),
  /** An {@code integer} that a database counts up. */
  SEQUENCE_INTEGER("sequence integer", Clock.NONE, 0, 0, Sorting.ASCENDING, 4, 10),
  /** 41 bits of milliseconds since 2010-11-04, 10 of the node, 12 of a counter. */
  SNOWFLAKE_TWITTER(
      "snowflake twitter", Clock.of(SnowflakeLayout.TWITTER), 0, 0, Sorting.BY_TICK, 8, 19),
  /**
   * 42 bits of milliseconds since 2015, 10 of the node, 12 of a counter: beyond a bigint in 2084.
   */
  SNOWFLAKE_DISCORD(
      "snowflake discord", Clock.of(SnowflakeLayout.DISCORD), 0, 0, Sorting.BY_TICK, 8, 20),
  /** 41 bits of milliseconds since 2011-08-24, 13 of the shard, 10 of a counter. */
  SNOWFLAKE_INSTAGRAM(
      "snowflake instagram", Clock.of(SnowflakeLayout.INSTAGRAM), 0, 0, Sorting.BY_TICK, 8, 20),
  /** 39 bits of 10 milliseconds since 2014-09-01, 8 of a counter, 16 of the machine. */
  SNOWFLAKE_SONY("snowflake sony", Clock.of(SnowflakeLayout.SONY), 0, 0, Sorting.BY_TICK, 8, 19),
  /** 42 bits of milliseconds since 2020, 10 of the node, 12 of a counter, in base 32. */
  TSID("tsid", Clock.of(SnowflakeLayout.TSID), 0, 0, Sorting.BY_TICK, 8, 13),
  /** 32 bits of seconds since 2014-05-13 and 128 random bits. */
  KSUID("ksuid", Clock.seconds(32, 1_400_000_000), 128, 128, Sorting.BY_TICK, 20, 27),
  /** 32 bits of seconds, 40 random ones of the process, a counter of 24 that starts at random. */
  OBJECTID("objectid", Clock.seconds(32, 0), 0, 64, Sorting.BY_TICK, 12, 24),
  /** The bits of an ObjectId in base 32, with machine and process drawn at random. */
  XID("xid", Clock.seconds(32, 0), 0, 64, Sorting.BY_TICK, 12, 20);

  /** The order of the identifiers of a scheme. */
  public enum Sorting {
    /** None. */
    NONE,
    /** The order of their ticks. */
    BY_TICK,
    /**
     * Each is greater than the one before from the same mint; those of two mints, by their ticks.
     */
    ASCENDING;

    /** Its name in commands: {@code by-tick}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The reason why two identifiers of a scheme differ. */
  public enum Uniqueness {
    /** A collision is improbable, see {@link Scheme#collisionOdds}. */
    BY_CHANCE,
    /** Every node has a unique number, and waits after it has used up a tick. */
    BY_NODE,
    /** A single counter. */
    BY_COUNTER;

    /** Its name in commands: {@code by-chance}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * The unit of time: a number of bits of a unit since an epoch, followed by finer bits that divide
   * the unit into ticks.
   */
  private record Clock(int bits, Duration unit, Instant epoch, int finerBits, int ticksPerUnit) {
    static final Clock NONE = new Clock(0, Duration.ZERO, Instant.EPOCH, 0, 1);
    static final Clock MILLIS = millis(48, 0);
    static final Clock GREGORIAN =
        new Clock(60, Duration.ofNanos(100), Instant.parse("1582-10-15T00:00:00Z"), 0, 1);

    static Clock of(SnowflakeLayout layout) {
      return new Clock(
          layout.timeBits(), Duration.ofMillis(layout.unitMillis()), layout.epoch(), 0, 1);
    }

    static Clock millis(int bits, long epochMillis) {
      return new Clock(bits, Duration.ofMillis(1), Instant.ofEpochMilli(epochMillis), 0, 1);
    }

    static Clock seconds(int bits, long epochSeconds) {
      return new Clock(bits, Duration.ofSeconds(1), Instant.ofEpochSecond(epochSeconds), 0, 1);
    }

    Clock finer(int finerBits, int ticksPerUnit) {
      return new Clock(bits, unit, epoch, finerBits, ticksPerUnit);
    }

    double tickSeconds() {
      return Scheme.seconds(unit) / ticksPerUnit;
    }

    Instant last() {
      return epoch.plus(unit.multipliedBy(1L << bits)).minus(unit.dividedBy(ticksPerUnit));
    }
  }

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // It is a record of values.
  private final Clock clock;

  private final int randomBits;

  /** Bits in which two mints differ by chance within one tick; 0 if they always differ. */
  private final int chanceBits;

  private final Sorting sorting;
  private final int bytes;
  private final int characters;

  Scheme(
      String label,
      Clock clock,
      int randomBits,
      int chanceBits,
      Sorting sorting,
      int bytes,
      int characters) {
    this.label = label;
    this.clock = clock;
    this.randomBits = randomBits;
    this.chanceBits = chanceBits;
    this.sorting = sorting;
    this.bytes = bytes;
    this.characters = characters;
  }

  /** Its name: {@code ulid ascending}. */
  public String label() {
    return label;
  }

  /** The bits of the time; 0 if it has none. */
  public int timeBits() {
    return clock.bits() + clock.finerBits();
  }

  /** The new random bits of each identifier: the effort to guess one from another. */
  public int randomBits() {
    return randomBits;
  }

  public Sorting sorting() {
    return sorting;
  }

  public Uniqueness uniqueness() {
    if (chanceBits > 0) {
      return Uniqueness.BY_CHANCE;
    }
    return hasTime() ? Uniqueness.BY_NODE : Uniqueness.BY_COUNTER;
  }

  /** The bytes of an identifier in a database, without the overhead of its column type. */
  public int bytes() {
    return bytes;
  }

  /** The characters of its usual text, at most. */
  public int characters() {
    return characters;
  }

  /** The resolution of its time, in whole nanoseconds; empty if it has no time. */
  public Optional<Duration> tick() {
    return hasTime() ? Optional.of(clock.unit().dividedBy(clock.ticksPerUnit())) : Optional.empty();
  }

  /** The last time that it can represent; empty if it has no time. */
  public Optional<Instant> lastTime() {
    return hasTime() ? Optional.of(clock.last()) : Optional.empty();
  }

  /**
   * The seconds until a counter reaches its last number at that rate; empty if it has no counter.
   */
  public OptionalDouble secondsUntilFull(double idsPerSecond) {
    checkRate(idsPerSecond);
    return uniqueness() == Uniqueness.BY_COUNTER
        ? OptionalDouble.of(Math.scalb(1.0, bytes * Byte.SIZE - 1) / idsPerSecond)
        : OptionalDouble.empty();
  }

  /**
   * The odds, 0 to 1, that two identifiers are equal at a rate over a time, if each comes from a
   * separate mint. 0 if identifiers always differ.
   *
   * @param idsPerSecond the average rate of all mints together: more than 0
   * @throws IllegalArgumentException if the rate is not more than 0, or the time is negative
   */
  public double collisionOdds(double idsPerSecond, Duration time) {
    checkRate(idsPerSecond);
    if (time.isNegative()) {
      throw new IllegalArgumentException("time is " + time + ": expected 0 or more");
    }
    double ids = idsPerSecond * seconds(time);
    double idsPerTick = hasTime() ? idsPerSecond * clock.tickSeconds() : ids;
    return uniqueness() == Uniqueness.BY_CHANCE ? odds(ids * idsPerTick / 2) : 0;
  }

  /** The odds, 0 to 1, that two of a number of identifiers of one tick are equal. */
  public double collisionOddsInOneTick(double ids) {
    return uniqueness() == Uniqueness.BY_CHANCE ? odds(ids * (ids - 1) / 2) : 0;
  }

  /**
   * The number of identifiers of one tick, or of all time if there is no tick, with an even chance
   * that two of them are equal; empty if they always differ.
   */
  public OptionalDouble idsForEvenOdds() {
    double pairs = Math.scalb(Math.log(2), chanceBits);
    return uniqueness() == Uniqueness.BY_CHANCE
        ? OptionalDouble.of((1 + Math.sqrt(1 + 8 * pairs)) / 2)
        : OptionalDouble.empty();
  }

  private static void checkRate(double idsPerSecond) {
    if (!(idsPerSecond > 0 && idsPerSecond <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("rate is " + idsPerSecond + ": expected more than 0");
    }
  }

  private boolean hasTime() {
    return clock.bits() > 0;
  }

  /** The odds that at least one of a number of pairs is equal; exact also for tiny odds. */
  private double odds(double pairs) {
    return -Math.expm1(-Math.scalb(pairs, -chanceBits));
  }

  private static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }
}
