package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import java.time.Instant;

/**
 * A node number and the units of time for which its holder may use it, from {@code firstTick} and
 * before {@code endTick}. All that a mint needs is in one immutable object, so that no identifier
 * combines the number of one lease with the end of another.
 *
 * @param node the node number
 * @param clock the server's clock
 * @param firstTick the first unit of time: not before the end of the previous holder
 * @param endTick the unit after the last one that ends before {@code end}
 * @param end when the lease ends, by the server's clock
 * @param untilNanos when the lease has ended, by the monotonic clock: the length of the lease after
 *     the request was sent, which is not later than the end on the server
 */
record WorkerTerm(
    int node, ServerClock clock, long firstTick, long endTick, Instant end, long untilNanos) {

  /** Converts between microseconds and a layout's units of time, without bounds. */
  record Scale(SnowflakeLayout layout, long epochMicros, long unitMicros) {
    static Scale of(SnowflakeLayout layout) {
      return new Scale(layout, ServerClock.micros(layout.epoch()), layout.unitMillis() * 1_000L);
    }

    long tickAt(long micros) {
      return Math.floorDiv(micros - epochMicros, unitMicros);
    }

    long tickAt(Instant time) {
      return tickAt(ServerClock.micros(time));
    }

    long micros(long tick) {
      return epochMicros + tick * unitMicros;
    }

    Instant time(long tick) {
      return ServerClock.instant(micros(tick));
    }

    /**
     * The bits of the first identifier of a unit of time.
     *
     * @throws IllegalArgumentException if the layout cannot hold that time
     */
    long firstBits(long tick, int node) {
      return Snowflake.of(layout, time(tick), node, 0).toLong();
    }
  }
}
