package dev.mintmark.spark.job;

import java.util.Locale;

/** Into which directories rows are put, by when their first chosen identifier was minted. */
enum PartitionBy {
  NONE(""),
  DAY("yyyy-MM-dd"),
  MONTH("yyyy-MM");

  private final String pattern;

  PartitionBy(String pattern) {
    this.pattern = pattern;
  }

  /** The name that options have for it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How the name of a directory is written, as Spark's patterns are. */
  String pattern() {
    return pattern;
  }
}
