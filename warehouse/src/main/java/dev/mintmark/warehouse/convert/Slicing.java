package dev.mintmark.warehouse.convert;

/**
 * The size of the slices of the input, and the number of threads that convert them. Each thread has
 * one slice.
 *
 * @param size the size of a slice in bytes
 * @param threads the number of threads, with the one that calls
 */
record Slicing(int size, int threads) {
  /** Smaller slices cost more time in handing them over, larger ones more memory. */
  static final int SIZE = 1 << 19;

  /** The most output that a slice gathers, in multiples of its size. */
  private static final int GROWTH_MAX = 3;

  /**
   * The most heap memory that a thread takes, in multiples of a slice: its input, its output in an
   * array that doubles, and the gzip member of that.
   */
  private static final int MULTIPLES = 1 + 4 + 4;

  /** The heap memory for the longest record and everything else, in bytes. */
  private static final long RESERVED = 28L << 20;

  /** Returns a thread for each processor, as many as fit the heap. */
  static Slicing ofProcessors() {
    Runtime runtime = Runtime.getRuntime();
    return of(runtime.availableProcessors(), runtime.maxMemory());
  }

  /** As above for a number of processors and a maximum heap in bytes. */
  static Slicing of(int processors, long memory) {
    long room = (memory - RESERVED) / (MULTIPLES * SIZE);
    return new Slicing(SIZE, (int) Math.max(1, Math.min(room, processors)));
  }

  /** Returns the size in bytes at which the output of a slice is full. */
  int outputMax() {
    return GROWTH_MAX * size;
  }
}
