package dev.mintmark;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The mint of a type without an order: single identifiers are random within a millisecond, and
 * share nothing between threads; those of one call ascend.
 */
final class DefaultOrderMint<T> implements Mint<T> {
  private final Mint<T> single;
  private final Mint<T> batches;

  private DefaultOrderMint(Mint<T> single, Mint<T> batches) {
    this.single = single;
    this.batches = batches;
  }

  /** Returns a mint in the order of the settings, or one of this class if they have none. */
  static <T> Mint<T> of(
      MintSettings settings, MintOptions options, BiFunction<Order, MintOptions, Mint<T>> mints) {
    return settings
        .order()
        .map(order -> mints.apply(order, options))
        .orElseGet(
            () ->
                new DefaultOrderMint<>(
                    mints.apply(Order.RANDOM, options), mints.apply(Order.ASCENDING, options)));
  }

  @Override
  public T mint() {
    return single.mint();
  }

  @Override
  public List<T> mint(int count) {
    return batches.mint(count);
  }

  @Override
  public Duration drift() {
    return batches.drift();
  }
}
