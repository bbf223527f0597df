package dev.mintmark;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tools that serve one thread at a time and take longer to make than to use, such as ciphers and
 * message digests: up to {@value #KEPT} of a sort are kept, each at a place that follows from the
 * thread. A thread takes what it finds there, or makes a new one, and puts it back. Nobody waits,
 * and no state hangs on a thread.
 *
 * @param <T> the tool
 */
final class Recycler<T> {
  /** How many are kept, a power of two. */
  private static final int KEPT = 8;

  /**
   * How far the places lie apart: a cache line, so that threads side by side are not slowed down.
   */
  private static final int SPREAD = 16;

  private final Supplier<T> maker;
  private final AtomicReferenceArray<@Nullable T> kept = new AtomicReferenceArray<>(KEPT * SPREAD);

  Recycler(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns one that nobody else has. */
  T take() {
    T spare = kept.getAndSet(place(), null);
    return spare == null ? maker.get() : spare;
  }

  /** Gives back what {@link #take} returned, fit for its next use. */
  void giveBack(T tool) {
    kept.set(place(), tool);
  }

  private static int place() {
    return ((int) Thread.currentThread().getId() & (KEPT - 1)) * SPREAD;
  }
}
