package dev.mintmark.operations.doctor;

import java.util.Locale;

/** How numbers and lists are written in findings. */
final class Words {
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

  private Words() {}

  /** {@code 2,147,483,647}. */
  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** {@code 1 row}, {@code 2,000 rows}. */
  static String rows(long rows) {
    return number(rows) + (rows == 1 ? " row" : " rows");
  }

  /** {@code 95.3 %}, rounded down. */
  static String share(double share) {
    return String.format(Locale.ROOT, "%.1f %%", Math.floor(share * 1000) / 10);
  }

  /** {@code 1.5 GiB}. */
  static String bytes(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", size, UNITS[unit]);
  }
}
