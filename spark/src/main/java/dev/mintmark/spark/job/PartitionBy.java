package dev.mintmark.spark.job;

import java.util.Locale;

/** The partitions of the output, by the mint time of the first chosen identifier of a row. */
enum PartitionBy {
  NONE(""),
  DAY("yyyy-MM-dd"),
  MONTH("yyyy-MM");

  private final String pattern;

  PartitionBy(String pattern) {
    this.pattern = pattern;
  }

  /** Returns the name in options. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the pattern of the names of directories, in the notation of Spark. */
  String pattern() {
    return pattern;
  }
}
