package dev.mintmark.spark.job;

import java.util.Locale;

/** The format of data files. */
enum Format {
  PARQUET,
  CSV;

  /** Returns the name in options and in Spark. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
