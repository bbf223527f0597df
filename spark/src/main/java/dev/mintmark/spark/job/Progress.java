package dev.mintmark.spark.job;

import dev.mintmark.DurationText;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Lines about how far the job is: plain, since a driver's stderr is mostly a file. */
final class Progress {
  /** Between two lines: many small parts need not say much. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final PrintWriter err;
  private final int parts;
  private final int partsBefore;
  private final long startNanos = System.nanoTime();
  private long lineNanos = startNanos - PAUSE.toNanos();

  /**
   * Begins.
   *
   * @param parts how many parts the plan has
   * @param partsBefore how many of them earlier runs have done
   */
  Progress(PrintWriter err, int parts, int partsBefore) {
    this.err = err;
    this.parts = parts;
    this.partsBefore = partsBefore;
  }

  /**
   * Tells of a part that is complete.
   *
   * @param number the part's
   * @param partsDone how many of all are now
   * @param rows how many rows this run has done
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
        "part %d done, %d of %d: %,d rows, %,.0f rows/s%s%n",
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
