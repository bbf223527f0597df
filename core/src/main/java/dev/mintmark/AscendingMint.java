package dev.mintmark;

import java.util.List;

/** {@link Order#ASCENDING}: a counter with a random start, then new random bits for each. */
final class AscendingMint<T> extends CountedMint<T> {
  /** Counters start in the lower half, so any millisecond has room for 2^19 identifiers. */
  private static final int START_MASK = (MillisecondLayout.COUNTER_END >>> 1) - 1;

  AscendingMint(MillisecondLayout<T> layout, MintOptions options) {
    super(layout, options);
  }

  @Override
  public T mint() {
    long now = MillisecondLayout.now(clock);
    Ulid random = Entropy.draw80(entropy, clock, now);
    Run run = run(now);
    while (true) {
      long counter = start(run) + run.getAndAdd(1);
      if (counter < MillisecondLayout.COUNTER_END) {
        return layout.counted(run.millis, counter, random);
      }
      run = runAfter(run);
    }
  }

  @Override
  public List<T> mint(int count) {
    Batch<T> batch = new Batch<>(count);
    Run run = run(MillisecondLayout.now(clock));
    while (true) {
      makeOf(run, batch);
      if (batch.missing() == 0) {
        return batch.toList();
      }
      run = runAfter(run);
    }
  }

  /** Makes the missing identifiers, or as many as there is room for. */
  private void makeOf(Run run, Batch<T> batch) {
    long counter = start(run) + run.getAndAdd(batch.missing());
    long room = Math.max(0, MillisecondLayout.COUNTER_END - counter);
    long before = counter - batch.size();
    batch.make(
        batch.size() + (int) Math.min(batch.missing(), room),
        entropy,
        (i, random) -> layout.counted(run.millis, before + i, random));
  }

  private static long start(Run run) {
    return run.start.leastSignificantBits() & START_MASK;
  }
}
