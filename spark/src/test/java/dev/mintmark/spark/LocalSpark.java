package dev.mintmark.spark;

import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Surface;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The only Spark of this JVM, with our extension, two threads and no optional services. It starts
 * with the first test that uses it, and stops with the JVM.
 */
public final class LocalSpark {
  private LocalSpark() {}

  /** How Spark computes a query. */
  enum Mode {
    /** A class is generated for all operators of a stage together. */
    WHOLE_STAGE("true", "FALLBACK"),
    /** A class is generated for the expressions of an operator. */
    OPERATOR("false", "CODEGEN_ONLY"),
    /** Nothing is generated. */
    INTERPRETED("false", "NO_CODEGEN");

    private final String wholeStage;
    private final String factoryMode;

    Mode(String wholeStage, String factoryMode) {
      this.wholeStage = wholeStage;
      this.factoryMode = factoryMode;
    }

    SparkSession newSession() {
      SparkSession session = LocalSpark.newSession();
      session.conf().set("spark.sql.codegen.wholeStage", wholeStage);
      session.conf().set("spark.sql.codegen.factoryMode", factoryMode);
      return session;
    }
  }

  /** Returns a new session. Sessions do not share settings and views. */
  public static SparkSession newSession() {
    return Started.SESSION.newSession();
  }

  /** Returns the record of what was compared. */
  static Conformance compared() {
    return Conformance.of(Surface.SPARK, "Spark " + Started.SESSION.version());
  }

  static Dataset<Row> table(SparkSession session, String columns, List<Row> rows) {
    return session.createDataFrame(rows, StructType.fromDDL(columns));
  }

  static Row row(@Nullable Object... values) {
    return RowFactory.create(values);
  }

  /** Returns the rows of a query as lines, with a bar between columns. */
  public static List<String> lines(Dataset<Row> query) {
    return query.collectAsList().stream().map(row -> row.mkString("|")).toList();
  }

  static String line(@Nullable Object... values) {
    return String.join("|", Arrays.stream(values).map(String::valueOf).toList());
  }

  private static final class Started {
    static final SparkSession SESSION =
        SparkSession.builder()
            .master("local[2]")
            .appName("mintmark")
            .config("spark.sql.extensions", MintmarkExtensions.class.getName())
            // Otherwise the optimizer would compute the results for tables in the code of tests.
            .config(
                "spark.sql.optimizer.excludedRules",
                "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation")
            .config("spark.sql.shuffle.partitions", 2)
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.warehouse.dir", directory("warehouse"))
            .config("spark.local.dir", directory("local"))
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();

    private static String directory(String name) {
      return Path.of("target", "spark", name).toAbsolutePath().toString();
    }
  }
}
