package dev.mintmark;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** {@link Order#RANDOM}: keeps no state between identifiers. */
final class RandomMint<T> implements Mint<T> {
  private final MillisecondLayout<T> layout;
  private final InstantSource clock;
  private final RandomGenerator entropy;

  RandomMint(MillisecondLayout<T> layout, MintOptions options) {
    this.layout = layout;
    this.clock = options.clock();
    this.entropy = Entropy.shared(options.entropy());
  }

  @Override
  public T mint() {
    long now = MillisecondLayout.now(clock);
    return layout.random(now, Entropy.draw80(entropy, clock, now));
  }

  @Override
  public List<T> mint(int count) {
    long millis = MillisecondLayout.now(clock);
    Batch<T> batch = new Batch<>(count);
    batch.make(count, entropy, (i, random) -> layout.random(millis, random));
    return batch.toList();
  }

  @Override
  public Duration drift() {
    return Duration.ZERO;
  }
}
