package dev.mintmark;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of objects that are not thread-safe and take longer to create than to use, such as
 * ciphers and message digests. It keeps a few objects for each processor, each at a {@link
 * ThreadPlace}. A thread takes the object at its place or creates a new one, and puts it back. No
 * thread waits, and no object belongs to a thread.
 *
 * @param <T> the type of the objects
 */
final class Recycler<T> {
  private static final int PLACE_BITS = ThreadPlace.bitsOfThisMachine();

  /** The distance between places: a cache line, to avoid false sharing. */
  private static final int SPREAD = 16;

  private final Supplier<T> maker;
  private final AtomicReferenceArray<@Nullable T> kept =
      new AtomicReferenceArray<>((1 << PLACE_BITS) * SPREAD);

  Recycler(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns an object for exclusive use. */
  T take() {
    T spare = kept.getAndSet(place(), null);
    return spare == null ? maker.get() : spare;
  }

  /** Puts back an object of {@link #take}, ready for its next use. */
  void giveBack(T tool) {
    kept.set(place(), tool);
  }

  private static int place() {
    return ThreadPlace.among(PLACE_BITS) * SPREAD;
  }
}
