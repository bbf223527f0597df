package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.line;
import static dev.mintmark.spark.LocalSpark.lines;
import static dev.mintmark.spark.LocalSpark.row;
import static dev.mintmark.spark.LocalSpark.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import dev.mintmark.spark.LocalSpark.Mode;
import dev.mintmark.warehouse.WarehouseFunction;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.debug.package$;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The functions in the plans of Spark. */
class PlanTest {
  private static final String MARCH =
      "id >= ulid_min(timestamp '2022-03-01 00:00:00Z')"
          + " and id < ulid_min(timestamp '2022-04-01 00:00:00Z')";

  @TempDir private Path directory;

  @Test
  void aStageIsCompiledWithTheFunctionsInIt() {
    Dataset<Row> query =
        LocalSpark.newSession()
            .sql("select ulid_text(uuid()) text, try_unprefixed('PM', id) number from range(9)");

    String plan = query.queryExecution().executedPlan().toString();
    assertThat(plan)
        .contains("*(1) Project [ulid_text(", "try_unprefixed(PM, ")
        .doesNotContain("UDF", "Python", "staticinvoke");
    assertThat(package$.MODULE$.codegenString(query.queryExecution().executedPlan()))
        .contains("RowFunctions.ulidText(", "RowFunctions.tryUnprefixed(")
        .doesNotContain("Long.valueOf", "(Long)");
  }

  /** Tools that record lineage read plans as JSON. */
  @Test
  void plansAreWrittenAsJson() {
    Dataset<Row> query =
        LocalSpark.newSession()
            .sql("select ulid_text(uuid()) text, prefixed('PM', id, 6) from range(9)");

    assertThat(query.queryExecution().analyzed().toJSON()).contains("FunctionCall");
    assertThat(query.toJSON().collectAsList()).hasSize(9);
  }

  @Test
  void theHeaderOfAColumnIsTheCall() {
    Dataset<Row> query =
        LocalSpark.newSession()
            .sql("select ulid_text(id), prefixed('PM', x, 6) from values ('', 1) as t (id, x)");

    assertThat(query.columns()).containsExactly("ulid_text(id)", "prefixed(PM, x, 6)");
  }

  @Test
  void theBoundsOfATimeReachTheFilesAsConstants() {
    SparkSession spark = LocalSpark.newSession();
    spark.conf().set("spark.sql.maxMetadataStringLength", 1_000);
    String place = directory.resolve("ids").toString();
    spark
        .sql(
            "select ulid_max(timestamp '2022-03-31 15:23:55Z') id union all select ulid_max(now())")
        .write()
        .parquet(place);

    Dataset<Row> query = spark.read().parquet(place).where(MARCH);

    String march = ulidMin("2022-03-01T00:00:00Z");
    assertThat(query.queryExecution().executedPlan().toString())
        .contains(
            "PushedFilters: [IsNotNull(id), Or(GreaterThanOrEqual(id,%1$s),And(GreaterThanOrEqual(id,%2$s),LessThan(id,017G))), LessThan(id,%3$s)]"
                .formatted(march, march.toUpperCase(Locale.ROOT), ulidMin("2022-04-01T00:00:00Z")));
    assertThat(query.count()).isEqualTo(1);
  }

  private static String ulidMin(String time) {
    return Ulid.min(Instant.parse(time)).toUuid().toString();
  }

  @ParameterizedTest
  @EnumSource
  void nullInNullOut(Mode mode) {
    SparkSession spark = mode.newSession();
    table(
            spark,
            "text string, number bigint, width int, moment timestamp, none string, no_number bigint,"
                + " no_width int, no_moment timestamp",
            List.of(row("x", 1L, 1, new Timestamp(0), null, null, null, null)))
        .createOrReplaceTempView("arguments");
    List<String> calls = new ArrayList<>();
    for (SparkFunction function : SparkFunction.all()) {
      int arguments = function.function().parameters().size();
      for (int missing = 0; missing < arguments; missing++) {
        calls.add(callWithNull(function, missing));
      }
    }

    Dataset<Row> query = spark.sql("select " + String.join(", ", calls) + " from arguments");

    assertThat(calls).hasSizeGreaterThan(30);
    assertThat(lines(query))
        .containsExactly(line(Collections.nCopies(calls.size(), null).toArray()));
  }

  private static String callWithNull(SparkFunction function, int missing) {
    List<WarehouseFunction.Parameter> parameters = function.function().parameters();
    List<String> arguments =
        IntStream.range(0, parameters.size())
            .mapToObj(i -> argument(parameters.get(i), i == missing))
            .toList();
    return function.label() + "(" + String.join(", ", arguments) + ")";
  }

  private static String argument(WarehouseFunction.Parameter parameter, boolean isNull) {
    return switch (parameter.type()) {
      case TEXT, UUID -> isNull ? "none" : "text";
      case BIGINT -> isNull ? "no_number" : "number";
      case INTEGER -> isNull ? "no_width" : "width";
      case TIME -> isNull ? "no_moment" : "moment";
    };
  }

  @Test
  void argumentsAreCastAsSparkCastsThem() {
    List<String> answers =
        lines(
            LocalSpark.newSession()
                .sql(
                    """
                    select ulid_min('2022-03-31'), ulid_min(date '2022-03-31'),
                      ulid_min(timestamp_ntz '2022-03-31 00:00:00'), prefixed('PM', 7Y, '3'),
                      ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K9Z' collate unicode_ci),
                      ulid_text(cast('017fe093-7adf-9932-aaaa-01fd0ba14d3f' as char(36)))
                    """));

    String march = "017fdd45-9800-0000-0000-000000000000";
    assertThat(answers)
        .containsExactly(
            line(
                march,
                march,
                march,
                "PM007",
                "017fe093-7adf-9932-aaaa-01fd0ba14d3f",
                "01FZG96YPZK4SANAG1ZM5T2K9Z"));
  }

  @Test
  void aTimeOfAnyFractionIsThatOfItsMillisecond() {
    List<String> answers =
        lines(
            LocalSpark.newSession()
                .sql(
                    """
                    select ulid_min(timestamp '2022-03-31 15:23:55.999999Z'),
                      ulid_max(timestamp '2022-03-31 15:23:55.999Z'),
                      ulid_max(timestamp_micros(281474976710655999)),
                      unix_micros(ulid_time('ffffffff-ffff-ffff-ffff-ffffffffffff'))
                    """));

    assertThat(answers)
        .containsExactly(
            line(
                "017fe093-7adf-0000-0000-000000000000",
                "017fe093-7adf-ffff-ffff-ffffffffffff",
                "ffffffff-ffff-ffff-ffff-ffffffffffff",
                281474976710655000L));
  }
}
