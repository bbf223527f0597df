package dev.mintmark.spark.job;

/**
 * What became of a part.
 *
 * @param rows how many rows it had
 * @param rejected how many of them are among the rejects and not in the output
 * @param files how many files of the output it is
 * @param bytes how long these are together
 */
record PartResult(long rows, long rejected, long files, long bytes) {
  static final PartResult NONE = new PartResult(0, 0, 0, 0);

  PartResult plus(PartResult other) {
    return new PartResult(
        rows + other.rows, rejected + other.rejected, files + other.files, bytes + other.bytes);
  }
}
