package dev.mintmark;

import java.util.List;

/**
 * The time in the first 64 of the 128 bits of a {@link Layout}: what {@link Layout#time} finds, in
 * milliseconds and without an object. Immutable and thread-safe.
 */
final class HighTime {
  /** The result of {@link #millis} for a layout without a time. */
  static final long NONE = Long.MIN_VALUE;

  private static final int MILLIS_PER_SECOND = 1000;

  /** The fields that add up to the ticks: how far each is from the end, its bits and its unit. */
  private final int[] shifts;

  private final long[] masks;
  private final long[] units;

  private final long ticksPerMilli;
  private final long epochMillis;

  private HighTime(List<Slot> slots, Timescale timescale) {
    int count = (int) slots.stream().filter(slot -> slot.ticks() > 0).count();
    this.shifts = new int[count];
    this.masks = new long[count];
    this.units = new long[count];
    this.ticksPerMilli = timescale.ticksPerSecond() / MILLIS_PER_SECOND;
    this.epochMillis = timescale.epoch().toEpochMilli();
    int end = Long.SIZE;
    int field = 0;
    for (Slot slot : slots) {
      end -= slot.width();
      if (slot.ticks() > 0) {
        shifts[field] = end;
        masks[field] = (1L << slot.width()) - 1;
        units[field++] = slot.ticks();
      }
    }
  }

  /** Returns the time of a layout with these fields; without one if it has no 128 bits. */
  static HighTime of(List<Slot> slots, Timescale timescale) {
    boolean isHigh =
        slots.stream().mapToInt(Slot::width).sum() == 2 * Long.SIZE
            && timescale.ticksPerSecond() >= MILLIS_PER_SECOND;
    return new HighTime(isHigh ? slots : List.of(), timescale);
  }

  /** The milliseconds since 1970, rounded down; {@link #NONE} without a time. */
  long millis(long high) {
    if (shifts.length == 0) {
      return NONE;
    }
    long ticks = 0;
    for (int i = 0; i < shifts.length; i++) {
      ticks += (high >>> shifts[i] & masks[i]) * units[i];
    }
    return epochMillis + ticks / ticksPerMilli;
  }
}
