package dev.mintmark.spark.job;

import dev.mintmark.spark.job.DataFiles.FileTotal;

/**
 * The result of a part.
 *
 * @param rows the number of its rows
 * @param rejected the number of its rows that are in the rejects and not in the output
 * @param files the number of its output files
 * @param bytes the total size of its output files in bytes
 * @param rejectFiles the number of its files in the rejects
 * @param rejectBytes the total size of its files in the rejects in bytes
 */
record PartResult(
    long rows, long rejected, long files, long bytes, long rejectFiles, long rejectBytes) {
  static final PartResult NONE = of(0, 0, FileTotal.NONE, FileTotal.NONE);

  static PartResult of(long rows, long rejected, FileTotal output, FileTotal rejects) {
    return new PartResult(
        rows, rejected, output.number(), output.bytes(), rejects.number(), rejects.bytes());
  }

  FileTotal inOutput() {
    return new FileTotal(files, bytes);
  }

  FileTotal inRejects() {
    return new FileTotal(rejectFiles, rejectBytes);
  }

  PartResult plus(PartResult other) {
    return new PartResult(
        rows + other.rows,
        rejected + other.rejected,
        files + other.files,
        bytes + other.bytes,
        rejectFiles + other.rejectFiles,
        rejectBytes + other.rejectBytes);
  }
}
