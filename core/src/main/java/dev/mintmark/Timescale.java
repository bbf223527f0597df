package dev.mintmark;

import java.math.BigInteger;
import java.time.Instant;

/**
 * The unit and the epoch of the time in an identifier.
 *
 * @param epoch the start of the count
 * @param ticksPerSecond the ticks per second: a divisor of 10^9
 * @param earliest the earliest plausible time of an identifier of the kind
 * @param latest the latest, if none is made any more
 */
record Timescale(Instant epoch, long ticksPerSecond, Instant earliest, Instant latest) {
  /** The scale of identifiers without a time. */
  static final Timescale NONE = new Timescale(Instant.EPOCH, 1, Instant.MIN);

  static final Timescale UNIX_MILLIS = unix(1_000, "1990-01-01T00:00:00Z");

  /** The scale of UUIDs that count from the start of the Gregorian calendar. */
  static final Timescale GREGORIAN =
      from("1582-10-15T00:00:00Z", 10_000_000, "1990-01-01T00:00:00Z");

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  Timescale(Instant epoch, long ticksPerSecond, Instant earliest) {
    this(epoch, ticksPerSecond, earliest, Instant.MAX);
  }

  static Timescale from(String epoch, long ticksPerSecond, String earliest) {
    return new Timescale(Instant.parse(epoch), ticksPerSecond, Instant.parse(earliest));
  }

  static Timescale unix(long ticksPerSecond, String earliest) {
    return new Timescale(Instant.EPOCH, ticksPerSecond, Instant.parse(earliest));
  }

  /** The time at a number of ticks after the epoch. */
  Instant at(BigInteger ticks) {
    BigInteger[] split = ticks.divideAndRemainder(BigInteger.valueOf(ticksPerSecond));
    long nanos = split[1].longValueExact() * (NANOS_PER_SECOND / ticksPerSecond);
    return epoch.plusSeconds(split[0].longValueExact()).plusNanos(nanos);
  }
}
