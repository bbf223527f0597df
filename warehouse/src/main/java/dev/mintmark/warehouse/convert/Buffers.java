package dev.mintmark.warehouse.convert;

/**
 * How much is read at a time, and by how many threads it is converted.
 *
 * @param size in bytes, at first: it grows for a row that is longer
 * @param slices how many
 */
record Buffers(int size, int slices) {
  /** Less, and threads wake one another more often than they work. */
  static final int SLICE = 1 << 20;

  private static final int SLICES_MAX = 8;

  /** What a slice may take of the heap, with what it becomes and all that is besides. */
  private static final int SLICE_MEMORY = 1 << 24;

  /** A slice for each processor, at most {@value #SLICES_MAX}, as the heap has room for. */
  static Buffers ofProcessors() {
    Runtime runtime = Runtime.getRuntime();
    return of(runtime.availableProcessors(), runtime.maxMemory());
  }

  /** The same for others: collectors keep a little of the heap out of its maximum. */
  static Buffers of(int processors, long memory) {
    long room = Math.round((double) memory / SLICE_MEMORY);
    int slices = (int) Math.max(1, Math.min(room, Math.min(processors, SLICES_MAX)));
    return new Buffers(slices * SLICE, slices);
  }
}
