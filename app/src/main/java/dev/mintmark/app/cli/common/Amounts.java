package dev.mintmark.app.cli.common;

import dev.mintmark.DurationText;
import dev.mintmark.operations.migrate.Estimate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats amounts for people. */
public final class Amounts {
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private Amounts() {}

  /** {@code 2,147,483,647}. */
  public static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1 step}, {@code 2,000 steps}. */
  public static String counted(long count, String what) {
    return number(count) + " " + what + (count == 1 ? "" : "s");
  }

  /** {@code 1.5 GiB}. */
  public static String bytes(long bytes) {
    int unit = 0;
    double size = bytes;
    for (; size >= 1024 && unit < UNITS.length - 1; unit++) {
      size /= 1024;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", size, UNITS[unit]);
  }

  /**
   * {@code 2,000 rows, 1.5 MiB of log, 700.0 KiB of disk, about 3s}; empty if nothing is estimated.
   */
  public static String estimate(Estimate estimate) {
    List<String> parts = new ArrayList<>();
    if (estimate.rows() > 0) {
      parts.add(counted(estimate.rows(), "row"));
    }
    if (estimate.walBytes() > 0) {
      parts.add(bytes(estimate.walBytes()) + " of write-ahead log");
    }
    if (estimate.diskBytes() > 0) {
      parts.add(bytes(estimate.diskBytes()) + " of disk");
    }
    if (!parts.isEmpty()) {
      parts.add(
          estimate.seconds() == 0
              ? "less than 1s"
              : "about " + DurationText.format(Duration.ofSeconds(estimate.seconds())));
    }
    return String.join(", ", parts);
  }
}
