package dev.mintmark.postgres.pool.numbers;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The database's clock as this process tells it: what it showed at one moment, and the monotonic
 * clock ({@link System#nanoTime}) from then on. The wall clock of the process has no part in it.
 *
 * <p>Every answer of the database that holds its time puts this right, by no more than the answer
 * proves: the server read its clock after the request was sent and before the answer was here.
 * Forward, this clock steps; backward it is slewed, by 1 s in 2,000 s as {@code adjtime} does, so
 * that what counts by it never stands still for long. A server whose clock stepped back by a minute
 * is thus followed in a day and a half; until then this clock is {@link Reading#ahead}.
 *
 * @param micros what the server's clock showed, in microseconds since 1970
 * @param nanos what the monotonic clock showed then
 */
record ServerClock(long micros, long nanos) {
  private static final int SLEW = 2_000;

  /**
   * What came of reading the server's clock once more.
   *
   * @param ahead how far {@code clock} is ahead of the server's at least; zero if it need not be
   */
  record Reading(ServerClock clock, Duration ahead) {}

  /** A server's clock that showed {@code time} when the monotonic one showed {@code nanos}. */
  static ServerClock at(Instant time, long nanos) {
    return new ServerClock(micros(time), nanos);
  }

  static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** What the server's clock shows, in microseconds since 1970, going by this one. */
  long microsAt(long nanoTime) {
    return micros + Math.floorDiv(nanoTime - nanos, 1_000);
  }

  /** What the monotonic clock shows when this one gets to {@code micros}. */
  long nanosAt(long micros) {
    return nanos + (micros - this.micros) * 1_000;
  }

  /** This clock, put right by an answer that holds what the server's clock showed. */
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
