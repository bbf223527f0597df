package dev.mintmark.spark;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The one Spark of this JVM, with our extensions: two threads, nothing but what it needs. It starts
 * with the first that asks, and stops with the JVM.
 */
final class LocalSpark {
  private LocalSpark() {}

  /** A session of its own: settings, views and functions that it changes are seen by no other. */
  static SparkSession newSession() {
    return Started.SESSION.newSession();
  }

  /** The answer to a query, as text: a row for each line, columns with a bar between. */
  static List<String> rows(Dataset<Row> query) {
    return query.collectAsList().stream().map(row -> row.mkString("|")).toList();
  }

  private static final class Started {
    static final SparkSession SESSION =
        SparkSession.builder()
            .master("local[2]")
            .appName("mintmark")
            .config("spark.sql.extensions", MintmarkExtensions.class.getName())
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.warehouse.dir", directory("warehouse"))
            .config("spark.local.dir", directory("local"))
            .getOrCreate();

    private static String directory(String name) {
      return Path.of("target", "spark", name).toAbsolutePath().toString();
    }
  }
}
