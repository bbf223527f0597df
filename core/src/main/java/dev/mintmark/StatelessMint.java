package dev.mintmark;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** A mint whose identifiers hold neither a time nor a counter. */
record StatelessMint<T>(Supplier<T> supplier) implements Mint<T> {
  /** UUIDv4s; they have no order. */
  static Mint<UUID> ofUuidsV4(Order order, MintOptions options) {
    RandomGenerator entropy = Entropy.shared(options.entropy());
    return new StatelessMint<>(() -> Uuids.mintV4(entropy));
  }

  @Override
  public T mint() {
    return supplier.get();
  }

  @Override
  public List<T> mint(int count) {
    Batch.checkCount(count);
    return Stream.generate(supplier).limit(count).toList();
  }

  @Override
  public Duration drift() {
    return Duration.ZERO;
  }
}
