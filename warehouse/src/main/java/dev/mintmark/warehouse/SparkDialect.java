package dev.mintmark.warehouse;

import java.util.List;

/**
 * The SQL dialect of Databricks and of any Spark 4. A session extension adds the functions, which
 * are in no schema, so the script has only views.
 */
final class SparkDialect implements Dialect {
  @Override
  public List<String> instructions() {
    return List.of(
        "The functions are in a session extension, dev.mintmark.spark.MintmarkExtensions, in the",
        "jar of mintmark-spark. A session must start with the extension. Queries call the",
        "functions by their names without a schema.",
        "",
        "  Databricks   a cluster library, or an init script that copies the jar to /databricks/jars, and",
        "               in the cluster's Spark configuration:",
        "                 spark.sql.extensions dev.mintmark.spark.MintmarkExtensions",
        "  spark-sql    spark-sql --jars mintmark-spark.jar \\",
        "                 --conf spark.sql.extensions=dev.mintmark.spark.MintmarkExtensions -f this-file.sql",
        "  a job        spark-submit with the same --jars and --conf",
        "  PySpark      SparkSession.builder.config(\"spark.jars\", \"mintmark-spark.jar\") \\",
        "                 .config(\"spark.sql.extensions\", \"dev.mintmark.spark.MintmarkExtensions\")",
        "",
        "A session that reads a view needs the extension as well.");
  }

  @Override
  public String quoted(String name) {
    return '`' + Dialect.checked(name).replace("`", "``") + '`';
  }

  @Override
  public String functions(String schema) {
    return """
        -- Returns 01FZG96YPZK4SANAG1ZM5T2K9Z, or fails if the session does not have the extension.
        select ulid_text('017fe093-7adf-9932-aaaa-01fd0ba14d3f');
        """;
  }

  @Override
  public String function(String schema, String name) {
    return name;
  }

  /** {@code substr} takes an int. */
  @Override
  public String bits(String bigint, int shift, int mask) {
    return "cast(shiftrightunsigned(" + bigint + ", " + shift + ") & " + mask + " as int)";
  }

  /** Parquet's UUIDs are read as bytes. */
  @Override
  public boolean hasUuidsOfBytes() {
    return true;
  }

  @Override
  public String textType() {
    return "string";
  }
}
