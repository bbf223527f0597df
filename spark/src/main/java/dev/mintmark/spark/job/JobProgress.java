package dev.mintmark.spark.job;

import dev.mintmark.DurationText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Prints the progress of the job as plain lines, because the stderr of a driver is mostly a file.
 */
final class JobProgress {
  /** The minimum time between two lines, so that many small parts print few lines. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final PrintWriter err;
  private final int parts;
  private final int partsBefore;
  private final long startNanos = System.nanoTime();
  private long lineNanos = startNanos - PAUSE.toNanos();

  /**
   * Starts the clock of the progress.
   *
   * @param parts the number of parts of the plan
   * @param partsBefore the number of parts that earlier runs completed
   */
  JobProgress(PrintWriter err, int parts, int partsBefore) {
    this.err = err;
    this.parts = parts;
    this.partsBefore = partsBefore;
  }

  /**
   * Reports a complete part.
   *
   * @param number the number of the part
   * @param partsDone the number of complete parts
   * @param rows the number of rows that this run converted
   */
  void partDone(int number, int partsDone, long rows) {
    long now = System.nanoTime();
    if (now - lineNanos < PAUSE.toNanos() && partsDone < parts) {
      return;
    }
    lineNanos = now;
    double seconds = Math.max(1e-3, (now - startNanos) / 1e9);
    double left = seconds / (partsDone - partsBefore) * (parts - partsDone);
    err.printf(
        Locale.ROOT,
        "part %s done, %s of %s: %,d rows, %,.0f rows/s%s%n",
        number,
        partsDone,
        parts,
        rows,
        rows / seconds,
        partsDone == parts
            ? ""
            : ", about %s left"
                .formatted(DurationText.format(Duration.ofSeconds(Math.round(left)))));
    err.flush();
  }
}
