package dev.mintmark;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@link Order#PER_THREAD}: several ascending mints, each for all threads at some places.
 *
 * <p>A thread never uses another mint than that of its place, not even if it has to wait for it: it
 * would lose its order. The mints know nothing of one another, as if they were of several
 * processes.
 */
final class PerThreadMint<T> implements Mint<T> {
  private final int placeBits;
  private final List<AscendingMint<T>> mints;

  PerThreadMint(MillisecondLayout<T> layout, MintOptions options) {
    this(layout, options, ThreadPlace.bitsOfThisMachine());
  }

  /**
   * @param placeBits there are 2<sup>placeBits</sup> places
   */
  PerThreadMint(MillisecondLayout<T> layout, MintOptions options, int placeBits) {
    MintOptions shared = options.withEntropy(Entropy.shared(options.entropy()));
    this.placeBits = placeBits;
    this.mints =
        Stream.generate(() -> new AscendingMint<>(layout, shared)).limit(1L << placeBits).toList();
  }

  @Override
  public T mint() {
    return own().mint();
  }

  @Override
  public List<T> mint(int count) {
    return own().mint(count);
  }

  private AscendingMint<T> own() {
    return mints.get(ThreadPlace.among(placeBits));
  }

  /** That of the mint that is ahead most. */
  @Override
  public Duration drift() {
    return mints.stream().map(Mint::drift).reduce(Duration.ZERO, PerThreadMint::greater);
  }

  private static Duration greater(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? b : a;
  }
}
