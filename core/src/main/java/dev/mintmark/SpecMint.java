package dev.mintmark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** {@link Order#SPEC}: each identifier is the one before plus a step, one for a ULID. */
final class SpecMint<T> extends CountedMint<T> {
  SpecMint(MillisecondLayout<T> layout, MintOptions options) {
    super(layout, options);
  }

  @Override
  public T mint() {
    return next(run(MillisecondLayout.now(clock)));
  }

  @Override
  public List<T> mint(int count) {
    Batch.checkCount(count);
    Run run = run(MillisecondLayout.now(clock));
    List<T> ids = new ArrayList<>(count);
    while (ids.size() < count) {
      ids.add(next(run));
    }
    return Collections.unmodifiableList(ids);
  }

  private T next(Run run) {
    long sum = run.getAndAdd(layout.step(entropy));
    if (sum < 0 || !layout.hasSum(run.start, sum)) {
      run.set(
          Long.MIN_VALUE); // Otherwise rejected ones would count on until the number wraps around.
      throw new MintException(
          "the random bits of millisecond "
              + run.millis
              + " are used up: the next identifier would not be greater");
    }
    return layout.sum(run.millis, run.start, sum);
  }
}
