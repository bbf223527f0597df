package dev.mintmark.warehouse.convert;

/**
 * The size of the read buffer, and the number of slices in which it is converted in parallel.
 *
 * @param size the initial size in bytes; the buffer grows for a longer row
 * @param slices the number of slices
 */
record Buffers(int size, int slices) {
  /**
   * The size of a slice in bytes. Smaller slices cost more time in waking threads than they save.
   */
  static final int SLICE = 1 << 20;

  private static final int SLICES_MAX = 8;

  /** The heap memory for a slice in bytes: its input, its output and everything else. */
  private static final int SLICE_MEMORY = 1 << 24;

  /**
   * Returns a slice for each processor, at most {@value #SLICES_MAX} and as many as fit the heap.
   */
  static Buffers ofProcessors() {
    Runtime runtime = Runtime.getRuntime();
    return of(runtime.availableProcessors(), runtime.maxMemory());
  }

  /**
   * Returns the buffers for a number of processors and a maximum heap. The number of slices is
   * rounded, because collectors report a maximum that is a little below the configured one.
   */
  static Buffers of(int processors, long memory) {
    long room = Math.round((double) memory / SLICE_MEMORY);
    int slices = (int) Math.max(1, Math.min(room, Math.min(processors, SLICES_MAX)));
    return new Buffers(slices * SLICE, slices);
  }
}
