package dev.mintmark.postgres.pool.numbers;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * An estimate of the database's clock: its time at one moment, and the monotonic clock ({@link
 * System#nanoTime}) from then on. The wall clock of the process is not used.
 *
 * <p>Every answer of the database with a time corrects the estimate, by no more than the answer
 * proves: the server read its clock after the request was sent and before the answer arrived.
 * Forward, this clock steps; backward it is slewed by 1 s in 2,000 s, as {@code adjtime} does, so
 * that users of the clock never wait for long. If the clock of a server has stepped back by a
 * minute, this clock follows in a day and a half; until then it is {@link Reading#ahead}.
 *
 * @param micros the time of the server's clock, in microseconds since 1970
 * @param nanos the time of the monotonic clock at the same moment
 */
record ServerClock(long micros, long nanos) {
  private static final int SLEW = 2_000;

  /**
   * The result of one more reading of the server's clock.
   *
   * @param ahead how far {@code clock} is at least ahead of the server's; zero if it may be right
   */
  record Reading(ServerClock clock, Duration ahead) {}

  /** A server's clock with the time {@code time} at {@code nanos} of the monotonic clock. */
  static ServerClock at(Instant time, long nanos) {
    return new ServerClock(micros(time), nanos);
  }

  static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** The estimated time of the server's clock, in microseconds since 1970. */
  long microsAt(long nanoTime) {
    return micros + Math.floorDiv(nanoTime - nanos, 1_000);
  }

  /** The time of the monotonic clock when this clock reaches {@code micros}. */
  long nanosAt(long micros) {
    return nanos + (micros - this.micros) * 1_000;
  }

  /** Corrects this clock by an answer with the time of the server's clock. */
  Reading read(Instant server, long sentNanos, long receivedNanos) {
    long mine = microsAt(receivedNanos);
    long atLeast = micros(server);
    long atMost = atLeast + (receivedNanos - sentNanos) / 1_000;
    long slewMax = (receivedNanos - nanos) / 1_000 / SLEW;
    long right = Math.max(atLeast, Math.max(Math.min(mine, atMost), mine - slewMax));
    Duration ahead = Duration.of(Math.max(0, right - atMost), ChronoUnit.MICROS);
    return new Reading(new ServerClock(right, receivedNanos), ahead);
  }
}
