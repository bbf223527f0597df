package dev.mintmark;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the Snowflakes of one node. The unit of time and the sequence of the last one are packed
 * into one long. The next one is the greater of that plus one, which may overflow into the next
 * unit, and of the present unit with sequence 0.
 *
 * <p>The state is changed by compare-and-set, not by fetch-and-add, so that it is ahead of the
 * clock only if the policy allows it, and never exceeds the last time, for any number of failing
 * threads.
 */
final class SnowflakeMint implements Mint<Snowflake> {
  private static final long NONE = -1;

  private final SnowflakeLayout layout;
  private final int node;
  private final ClockGuard clock;

  /** The last unit of time and, in the layout's bits of the sequence, the last of the sequence. */
  private final AtomicLong last = new AtomicLong(NONE);

  SnowflakeMint(SnowflakeLayout layout, int node, InstantSource clock, ClockPolicy policy) {
    Snowflake.checkPart("node", node, layout.nodeMax());
    if (policy == ClockPolicy.RETURN_TO_CLOCK) {
      throw new IllegalArgumentException(
          "clock policy RETURN_TO_CLOCK: a node would repeat identifiers: expected WAIT, FAIL or"
              + " KEEP_ASCENDING");
    }
    this.layout = layout;
    this.node = node;
    this.clock = new ClockGuard(clock, policy);
  }

  /**
   * Makes the mint of a kind. It waits if the policy is not to fail, because identifiers ahead of
   * the clock could be repeated by the next process with the same number.
   *
   * @throws IllegalArgumentException if the settings have no node, or it is out of range
   */
  static Mint<Snowflake> of(
      Kind kind, SnowflakeLayout layout, MintSettings settings, MintOptions options) {
    int node =
        settings
            .node()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "kind %s needs a node: 0 to %s, a number that no other process has"
                            .formatted(kind.label(), layout.nodeMax())));
    ClockPolicy policy =
        options.clockPolicy() == ClockPolicy.FAIL ? ClockPolicy.FAIL : ClockPolicy.WAIT;
    return new SnowflakeMint(layout, node, options.clock(), policy);
  }

  @Override
  public Snowflake mint() {
    return snowflake(take(1));
  }

  @Override
  public List<Snowflake> mint(int count) {
    Batch.checkCount(count);
    List<Snowflake> ids = new ArrayList<>(count);
    while (ids.size() < count) {
      int wanted = count - ids.size();
      long first = take(wanted);
      for (long next = first; next < first + roomFor(wanted, first); next++) {
        ids.add(snowflake(next));
      }
    }
    return Collections.unmodifiableList(ids);
  }

  @Override
  public Duration drift() {
    long latest = last.get();
    return latest == NONE ? Duration.ZERO : clock.drift(layout.millis(tick(latest)));
  }

  /** Takes up to {@link #roomFor} Snowflakes of one unit of time, and returns the first. */
  private long take(int wanted) {
    while (true) {
      long latest = last.get();
      long now = layout.tickAt(clock.millis());
      long first = Math.max(latest + 1, now << layout.sequenceBits());
      if (tick(first) > now) {
        goAhead(tick(first));
      }
      if (last.compareAndSet(latest, first + roomFor(wanted, first) - 1)) {
        return first;
      }
    }
  }

  private void goAhead(long tick) {
    if (tick > layout.tickMax()) {
      throw new MintException(
          "no Snowflake is left for node "
              + node
              + ": the last time of its layout, "
              + Form.timeText(layout.timeMax())
              + ", is used up");
    }
    clock.settle(layout.millis(tick));
  }

  /** The number of {@code wanted} Snowflakes from {@code first} to the end of its unit of time. */
  private int roomFor(int wanted, long first) {
    long left = layout.sequenceMax() - sequence(first) + 1;
    return (int) Math.min(wanted, left);
  }

  private Snowflake snowflake(long taken) {
    return Snowflake.of(layout.join(tick(taken), node, sequence(taken)));
  }

  private long tick(long taken) {
    return taken >>> layout.sequenceBits();
  }

  private long sequence(long taken) {
    return taken & layout.sequenceMax();
  }
}
