package dev.mintmark.spark;

import static dev.mintmark.spark.MintmarkFunctions.ulid_text;
import static org.apache.spark.sql.functions.col;

import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * An application for {@code spark-submit}. It converts identifiers on every executor, and prints
 * for each part the executor, the process, the number of rows, and the number of rows that differ
 * from the results of core.
 */
public final class ClusterProbe {
  private static final int PARTS = 8;
  private static final int ROWS = 80_000;

  private ClusterProbe() {}

  public static void main(String[] args) throws IOException {
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      Dataset<Row> ids = spark.range(0, ROWS, 1, PARTS).selectExpr("uuid() id");
      ids.select(col("id"), ulid_text(col("id")))
          .mapPartitions(
              (MapPartitionsFunction<Row, String>) ClusterProbe::probed, Encoders.STRING())
          .collectAsList()
          .forEach(System.out::println);
    }
  }

  private static Iterator<String> probed(Iterator<Row> rows) {
    int count = 0;
    int wrong = 0;
    while (rows.hasNext()) {
      Row row = rows.next();
      String expected = Ulid.of(Uuids.parse(row.getString(0))).toString();
      count++;
      wrong += expected.equals(row.getString(1)) ? 0 : 1;
    }
    String executor = SparkEnv.get().executorId();
    long pid = ProcessHandle.current().pid();
    return List.of("part %s %d %d %d".formatted(executor, pid, count, wrong)).iterator();
  }
}
