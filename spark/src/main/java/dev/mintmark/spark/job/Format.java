package dev.mintmark.spark.job;

import java.util.Locale;

/** How files hold rows. */
enum Format {
  PARQUET,
  CSV;

  /** The name that options and Spark have for it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
