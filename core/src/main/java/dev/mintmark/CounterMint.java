package dev.mintmark;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Makes identifiers of a second, 40 bits of the process and a counter of 24 bits, as ObjectId and
 * Xid have them. The counter starts at random and counts on from second to second. At its end it
 * goes on at zero in the next second, so each identifier is greater than the one before, across
 * threads.
 *
 * <p>The last second and its counter are one number of 56 bits, which a compare-and-set replaces:
 * it is ahead of the clock only if the policy allows it. A mint that returns to its clock continues
 * with its counter, so it repeats nothing before it has made 2^24 more.
 */
final class CounterMint<T> implements Mint<T> {
  private static final int COUNTER_BITS = 24;
  private static final long COUNTER = (1L << COUNTER_BITS) - 1;
  private static final int PROCESS_BITS = 40;
  private static final UnixSeconds SECONDS = UnixSeconds.SINCE_1970;

  private final ClockGuard clock;
  private final Function<Fields, T> maker;
  private final long process;
  private final AtomicLong last;

  /**
   * What an identifier consists of.
   *
   * @param seconds since 1970, unsigned
   * @param process 40 bits
   * @param counter 24 bits
   */
  record Fields(int seconds, long process, int counter) {}

  CounterMint(MintOptions options, Function<Fields, T> maker) {
    this.clock = new ClockGuard(options);
    this.maker = maker;
    Ulid random = Entropy.draw128(Entropy.shared(options.entropy()));
    this.process = random.mostSignificantBits() >>> (Long.SIZE - PROCESS_BITS);
    this.last = new AtomicLong(random.leastSignificantBits() & COUNTER);
  }

  @Override
  public T mint() {
    return made(take(1));
  }

  @Override
  public List<T> mint(int count) {
    Batch.checkCount(count);
    long first = take(count);
    return Collections.unmodifiableList(
        LongStream.range(first, first + count).mapToObj(this::made).toList());
  }

  @Override
  public Duration drift() {
    long latest = last.get();
    return latest <= COUNTER ? Duration.ZERO : clock.drift(millis(latest));
  }

  /** Takes numbers and returns the first. */
  private long take(int count) {
    while (true) {
      long latest = last.get();
      long now = now();
      long next = latest + 1;
      long first = Math.max(next, now << COUNTER_BITS | (next & COUNTER));
      long end = first + count - 1;
      if (end >>> COUNTER_BITS > now && isSentBack(end)) {
        first = now << COUNTER_BITS | (next & COUNTER);
        end = first + count - 1;
      }
      if (last.compareAndSet(latest, end)) {
        return first;
      }
    }
  }

  private long now() {
    return Integer.toUnsignedLong(SECONDS.at(Instant.ofEpochMilli(clock.millis())));
  }

  /** Lets the policy decide, and returns whether the mint starts again at its clock. */
  private boolean isSentBack(long taken) {
    boolean returns = clock.returnsToClock(millis(taken));
    if (!returns) {
      goAhead(taken);
    }
    return returns;
  }

  private void goAhead(long taken) {
    if (taken >>> COUNTER_BITS > Integer.toUnsignedLong(-1)) {
      throw new MintException("the last second that 32 bits can count is used up");
    }
    clock.settle(millis(taken));
  }

  private T made(long taken) {
    return maker.apply(
        new Fields((int) (taken >>> COUNTER_BITS), process, (int) (taken & COUNTER)));
  }

  private static long millis(long taken) {
    return (taken >>> COUNTER_BITS) * 1_000;
  }
}
