package dev.mintmark.operations.migrate;

import java.time.Duration;

/**
 * How many rows a batch has, so that it takes about as long as wanted: as many as the last one
 * would have had in that time, but at most twice as many as it had, and at least half. Where there
 * are hardly any rows, it grows to a thousand and no further.
 */
final class BatchSize {
  private static final int FIRST = 100;

  /**
   * The greatest size after batches that find next to nothing: the next may find all it asks for.
   */
  private static final int SPARSE_MAX = 1_000;

  private final Duration wanted;
  private final int max;
  private int rows;

  BatchSize(Duration wanted, int max) {
    this.wanted = wanted;
    this.max = max;
    this.rows = Math.min(FIRST, max);
  }

  int rows() {
    return rows;
  }

  /** Learns from a batch: how many rows it found, and how long it took. */
  void took(long seen, Duration howLong) {
    if (seen < rows / 2) {
      if (howLong.compareTo(wanted) < 0) {
        rows = Math.max(rows, Math.min(Math.min(SPARSE_MAX, max), rows * 2));
      }
      return;
    }
    double fitting = (double) seen * wanted.toNanos() / Math.max(1, howLong.toNanos());
    double next = Math.max(rows / 2.0, Math.min(rows * 2.0, fitting));
    rows = (int) Math.max(1, Math.min(max, next));
  }
}
