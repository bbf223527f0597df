package dev.mintmark.spark.job;

/**
 * The result of a part.
 *
 * @param rows the number of its rows
 * @param rejected the number of its rows that are in the rejects and not in the output
 * @param files the number of its output files
 * @param bytes the total size of its output files in bytes
 */
record PartResult(long rows, long rejected, long files, long bytes) {
  static final PartResult NONE = new PartResult(0, 0, 0, 0);

  PartResult plus(PartResult other) {
    return new PartResult(
        rows + other.rows, rejected + other.rejected, files + other.files, bytes + other.bytes);
  }
}
