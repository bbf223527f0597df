package dev.mintmark;

/**
 * Where a thread finds what threads share: one of a fixed number of places, always the same one for
 * a thread, so that nothing is kept for each thread. A virtual thread has a place as any other, and
 * keeps it when another thread carries it.
 *
 * <p>The number of the thread is multiplied by 2<sup>64</sup> divided by the golden ratio [1]. This
 * spreads consecutive numbers evenly: threads that were started one after another have different
 * places, if there are at least four times as many places. Other threads may meet at one place.
 *
 * <p>[1] D. E. Knuth, The Art of Computer Programming, volume 3, section 6.4.
 */
final class ThreadPlace {
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private ThreadPlace() {}

  /** Returns the place of the current thread among 2<sup>bits</sup>, for 1 to 31 bits. */
  static int among(int bits) {
    return of(Thread.currentThread().getId(), bits);
  }

  static int of(long threadId, int bits) {
    return (int) ((threadId * MULTIPLIER) >>> (Long.SIZE - bits));
  }

  /** The bits of at least four places for each processor of this machine. */
  static int bitsOfThisMachine() {
    return bits(Runtime.getRuntime().availableProcessors());
  }

  static int bits(int processors) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(4 * processors - 1);
  }
}
