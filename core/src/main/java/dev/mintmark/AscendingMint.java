package dev.mintmark;

import java.util.List;

/** {@link Order#ASCENDING}: a counter that starts at random, then fresh random bits for each. */
final class AscendingMint<T> extends CountedMint<T> {
  /** Counters start in the lower half: there is room for 2^19 identifiers in any millisecond. */
  private static final int START_MASK = (MillisecondLayout.COUNTER_END >>> 1) - 1;

  AscendingMint(MillisecondLayout<T> layout, MintOptions options) {
    super(layout, options);
  }

  @Override
  public T mint() {
    Ulid random = Entropy.draw(entropy);
    Run run = run();
    while (true) {
      long counter = start(run) + run.getAndIncrement();
      if (counter < MillisecondLayout.COUNTER_END) {
        return layout.counted(run.millis, counter, random);
      }
      run = runAfter(run);
    }
  }

  @Override
  public List<T> mint(int count) {
    Batch<T> batch = new Batch<>(count, entropy);
    Run run = run();
    while (true) {
      long counter = start(run) + run.getAndAdd(batch.missing());
      while (counter < MillisecondLayout.COUNTER_END && batch.missing() > 0) {
        batch.add(layout.counted(run.millis, counter++, batch.random()));
      }
      if (batch.missing() == 0) {
        return batch.toList();
      }
      run = runAfter(run);
    }
  }

  private static long start(Run run) {
    return run.start.mostSignificantBits() & START_MASK;
  }
}
