package dev.mintmark;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The division of the 64 bits of a {@link Snowflake} into a time, the number of its node, and a
 * sequence within one unit of time. Immutable.
 *
 * <pre>
 *              bits   time  node  sequence   unit    since                      until
 *   TWITTER      63     41    10     12       1 ms   2010-11-04T01:42:54.657Z   2080
 *   DISCORD      64     42    10     12       1 ms   2015-01-01T00:00:00.000Z   2154
 *   INSTAGRAM    64     41    13     10       1 ms   2011-08-24T21:07:01.721Z   2081
 *   SONY         63     39    16      8      10 ms   2014-09-01T00:00:00.000Z   2188
 *   TSID         64     42    10     12       1 ms   2020-01-01T00:00:00.000Z   2159
 *
 *   TWITTER, DISCORD, INSTAGRAM, TSID   | time | node | sequence |
 *   SONY                                | time | sequence | node |
 * </pre>
 *
 * <p>With 64 bits, a Snowflake passes 2^63-1 halfway through the time: in 2084 with {@link
 * #DISCORD}, in 2089 with {@link #TSID} and in 2046 with {@link #INSTAGRAM}. A signed column sorts
 * it before all others from then on.
 *
 * <p>An epoch of your own gains decades:
 *
 * <pre>{@code
 * SnowflakeLayout ours = SnowflakeLayout.TWITTER.withEpoch(Instant.parse("2025-01-01T00:00:00Z"));
 * ours.timeMax();  // 2094-09-07T15:47:35.551Z
 * }</pre>
 *
 * @param epoch the start of the count: a whole millisecond from 1970 to 9999
 * @param unitMillis the unit of time: 1 to {@value #UNIT_MILLIS_MAX} milliseconds
 * @param timeBits 1 to {@value #TIME_BITS_MAX}
 * @param nodeBits 0 to {@value #NODE_BITS_MAX}
 * @param sequenceBits 0 to {@value #SEQUENCE_BITS_MAX}; all three together at most 64, time and
 *     sequence together at most 62, because a mint keeps them in one number
 * @param sequenceFirst whether the sequence is before the node
 */
public record SnowflakeLayout(
    Instant epoch,
    int unitMillis,
    int timeBits,
    int nodeBits,
    int sequenceBits,
    boolean sequenceFirst) {
  /** The longest unit of time. */
  public static final int UNIT_MILLIS_MAX = 1_000;

  /** The most bits of time: the same number as in a ULID. */
  public static final int TIME_BITS_MAX = 48;

  /** The most bits of a node. */
  public static final int NODE_BITS_MAX = 31;

  /** The most bits of a sequence. */
  public static final int SEQUENCE_BITS_MAX = 31;

  private static final Instant EPOCH_END = Instant.parse("+10000-01-01T00:00:00Z");
  private static final int TIME_AND_SEQUENCE_BITS_MAX = 62;

  /**
   * The layout of Twitter. The node is 5 bits of the data centre before 5 bits of the worker.
   *
   * @see <a href="https://github.com/twitter-archive/snowflake/tree/snowflake-2010">its source</a>
   */
  public static final SnowflakeLayout TWITTER =
      new SnowflakeLayout(Instant.ofEpochMilli(1_288_834_974_657L), 1, 41, 10, 12, false);

  /**
   * The layout of Discord. The node is 5 bits of the worker before 5 bits of the process.
   *
   * @see <a href="https://discord.com/developers/docs/reference#snowflakes">its reference</a>
   */
  public static final SnowflakeLayout DISCORD =
      new SnowflakeLayout(Instant.ofEpochMilli(1_420_070_400_000L), 1, 42, 10, 12, false);

  /**
   * The layout of Instagram. The node is the logical shard.
   *
   * @see <a
   *     href="https://instagram-engineering.com/sharding-ids-at-instagram-1cf5a71e5a5c">Sharding
   *     &amp; IDs at Instagram</a>
   */
  public static final SnowflakeLayout INSTAGRAM =
      new SnowflakeLayout(Instant.ofEpochMilli(1_314_220_021_721L), 1, 41, 13, 10, false);

  /**
   * The layout of Sonyflake (version 1). The node is the machine.
   *
   * @see <a href="https://pkg.go.dev/github.com/sony/sonyflake">its documentation</a>
   */
  public static final SnowflakeLayout SONY =
      new SnowflakeLayout(Instant.parse("2014-09-01T00:00:00Z"), 10, 39, 16, 8, true);

  /**
   * The layout of a {@link Tsid} whose node has 10 bits, the default of tsid-creator and
   * hypersistence-tsid. These can divide the last 22 bits in other ways.
   *
   * @see <a href="https://github.com/f4b6a3/tsid-creator">its documentation</a>
   */
  public static final SnowflakeLayout TSID =
      new SnowflakeLayout(Instant.parse("2020-01-01T00:00:00Z"), 1, 42, 10, 12, false);

  /**
   * Checks the components.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public SnowflakeLayout {
    boolean wholeMillis = epoch.equals(epoch.truncatedTo(ChronoUnit.MILLIS));
    if (!wholeMillis || epoch.isBefore(Instant.EPOCH) || !epoch.isBefore(EPOCH_END)) {
      throw new IllegalArgumentException(
          "epoch " + epoch + ": expected a whole millisecond from 1970 to 9999");
    }
    check("unit", unitMillis, 1, UNIT_MILLIS_MAX, "milliseconds");
    check("time", timeBits, 1, TIME_BITS_MAX, "bits");
    check("node", nodeBits, 0, NODE_BITS_MAX, "bits");
    check("sequence", sequenceBits, 0, SEQUENCE_BITS_MAX, "bits");
    check("time and sequence", timeBits + sequenceBits, 1, TIME_AND_SEQUENCE_BITS_MAX, "bits");
    check("time, node and sequence", timeBits + nodeBits + sequenceBits, 1, Long.SIZE, "bits");
  }

  private static void check(String what, int number, int min, int max, String unit) {
    if (number < min || number > max) {
      throw new IllegalArgumentException(
          what + " of " + number + " " + unit + ": expected " + min + " to " + max);
    }
  }

  /** Returns this layout with another epoch. */
  public SnowflakeLayout withEpoch(Instant epoch) {
    return new SnowflakeLayout(epoch, unitMillis, timeBits, nodeBits, sequenceBits, sequenceFirst);
  }

  /** The last millisecond that this layout can hold. */
  public Instant timeMax() {
    return Instant.ofEpochMilli(millis(tickMax()) + unitMillis - 1);
  }

  /** The greatest number of a node; 0 if there is only one node. */
  public int nodeMax() {
    return (int) mask(nodeBits);
  }

  /** The greatest number of the sequence within one unit of time. */
  public int sequenceMax() {
    return (int) mask(sequenceBits);
  }

  /** The number of bits of a Snowflake. */
  int bits() {
    return timeBits + nodeBits + sequenceBits;
  }

  /** Whether these bits fit this layout. */
  boolean holds(long bits) {
    return (bits & ~mask(bits())) == 0;
  }

  /**
   * The number of the unit of time that contains a time.
   *
   * @throws IllegalArgumentException if the time is before the epoch or after {@link #timeMax}
   */
  long tickAt(Instant time) {
    if (time.isBefore(epoch) || !time.isBefore(timeMax().plusMillis(1))) {
      throw outside(time);
    }
    return tickAt(time.toEpochMilli());
  }

  /** As above, for a time in milliseconds since 1970. */
  long tickAt(long millis) {
    long sinceEpoch = millis - epoch.toEpochMilli();
    long tick = sinceEpoch / unitMillis;
    if (sinceEpoch < 0 || tick > tickMax()) {
      throw outside(Instant.ofEpochMilli(millis));
    }
    return tick;
  }

  /** The number of the last unit of time. */
  long tickMax() {
    return mask(timeBits);
  }

  /** The start of a unit of time, in milliseconds since 1970. */
  long millis(long tick) {
    return epoch.toEpochMilli() + tick * unitMillis;
  }

  /** Composes fields that are known to fit. */
  long join(long tick, long node, long sequence) {
    return tick << timeShift() | node << nodeShift() | sequence << sequenceShift();
  }

  long tick(long bits) {
    return bits >>> timeShift() & mask(timeBits);
  }

  int node(long bits) {
    return (int) (bits >>> nodeShift() & mask(nodeBits));
  }

  int sequence(long bits) {
    return (int) (bits >>> sequenceShift() & mask(sequenceBits));
  }

  private IllegalArgumentException outside(Instant time) {
    return new IllegalArgumentException(
        "time " + time + ": expected " + Form.timeText(epoch) + " to " + Form.timeText(timeMax()));
  }

  private int timeShift() {
    return nodeBits + sequenceBits;
  }

  private int nodeShift() {
    return sequenceFirst ? 0 : sequenceBits;
  }

  private int sequenceShift() {
    return sequenceFirst ? nodeBits : 0;
  }

  private static long mask(int bits) {
    return bits == Long.SIZE ? -1 : (1L << bits) - 1;
  }
}
