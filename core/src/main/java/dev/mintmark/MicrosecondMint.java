package dev.mintmark;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** {@link Order#MICROSECOND}: at the resolution of the clock, read for each identifier. */
final class MicrosecondMint<T> implements Mint<T> {
  private static final int NANOS_PER_MILLI = 1_000_000;

  private final MillisecondLayout<T> layout;
  private final InstantSource clock;
  private final RandomGenerator entropy;

  MicrosecondMint(MillisecondLayout<T> layout, MintOptions options) {
    this.layout = layout;
    this.clock = options.clock();
    this.entropy = Entropy.shared(options.entropy());
  }

  @Override
  public T mint() {
    return at(clock.instant(), Entropy.draw80(entropy));
  }

  @Override
  public List<T> mint(int count) {
    Batch<T> batch = new Batch<>(count);
    batch.make(count, entropy, (i, random) -> at(clock.instant(), random));
    return batch.toList();
  }

  @Override
  public Duration drift() {
    return Duration.ZERO;
  }

  @SuppressWarnings("JavaInstantGetSecondsGetNano") // The seconds are known from the milliseconds.
  private T at(Instant time, Ulid random) {
    long millis = MillisecondLayout.millis(time);
    return layout.precise(millis, time.getNano() % NANOS_PER_MILLI, random);
  }
}
