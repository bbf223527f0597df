package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.lines;
import static dev.mintmark.spark.MintmarkFunctions.ulid_uuid;
import static java.util.Map.entry;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.spark.LocalSpark.Mode;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Comparisons of the results of functions with UUIDs of each type and letter case. */
@Tag("long")
class ComparisonTest {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  /** A column of {@code ids} for each form of a UUID. */
  private static final List<String> FORMS = List.of("bytes", "upper_case", "lower_case");

  /**
   * Conditions on {@code id}, and the numbers of the rows that they select. Row 3 has the ULID. The
   * ids of rows 2 and 4 are next to its millisecond, and those of rows 1 and 5 have another first
   * letter. The id of row 6 is null.
   */
  private static final Map<String, String> CONDITIONS =
      Map.ofEntries(
          entry("id = ulid_uuid('ULID')", "3"),
          entry("ulid_uuid('ULID') = id", "3"),
          entry("id <=> ulid_uuid('ULID')", "3"),
          entry("id <=> ulid_uuid(null)", "6"),
          entry("id <> ulid_uuid('ULID')", "0,1,2,4,5"),
          entry("id < ulid_min(timestamp 'TIME')", "0,1,2"),
          entry("id <= ulid_uuid('ULID')", "0,1,2,3"),
          entry("id > ulid_max(timestamp 'TIME')", "4,5"),
          entry("id >= ulid_min(timestamp 'TIME')", "3,4,5"),
          entry("ulid_max(timestamp 'TIME') < id", "4,5"),
          entry("ulid_min(timestamp 'TIME') > id", "0,1,2"),
          entry("ulid_uuid('ULID') < id", "4,5"),
          entry("ulid_uuid('ULID') > id", "0,1,2"),
          entry("ulid_uuid('ULID') <= id", "3,4,5"),
          entry("ulid_uuid('ULID') >= id", "0,1,2,3"),
          entry("id between ulid_min(timestamp 'TIME') and ulid_max(timestamp 'TIME')", "3"),
          entry("id >= ulid_min(current_timestamp() - interval 1 day)", "5"),
          entry("id in (ulid_uuid('ULID'), ulid_uuid(lower('ULID')))", "3"),
          entry("id not in (ulid_uuid('ULID'))", "0,1,2,4,5"),
          entry("id in (ulid_uuid('ULID'), ulid_uuid(ulid))", "0,1,2,3,4,5"),
          entry("ulid_uuid('ULID') in (id, id)", "3"),
          entry("id = ulid_uuid(ulid)", "0,1,2,3,4,5"),
          entry("id >= ulid_uuid(ulid)", "0,1,2,3,4,5"),
          entry("id = typeid_uuid('user_' || lower('ULID'))", "3"),
          entry("id = try_ulid_uuid('ULID')", "3"),
          entry("id = try_ulid_uuid('nonsense')", ""),
          entry("case id when ulid_uuid('ULID') then true else false end", "3"));

  /** The same for conditions that only a {@code where} may have. */
  private static final Map<String, String> SUBQUERIES =
      Map.of(
          "id in (select ulid_uuid('ULID'))",
          "3",
          "id in (select ulid_uuid(ulid) from ids where n > 3)",
          "4,5",
          "(id, n) in (select ulid_uuid(ulid), 3 from ids)",
          "3",
          "ulid_uuid(ulid) in (select id from here where n > 3)",
          "4,5",
          "id >= (select ulid_min(max(ulid_time(id))) from here where n < 5)",
          "4,5",
          "exists (select 1 from ids b where b.n = 3 and ulid_uuid(b.ulid) = here.id)",
          "3");

  /** Joins of {@code here}, with ids of one form, to {@code ids}. All 6 rows have a match. */
  private static final List<String> JOINS =
      List.of(
          "here join ids on here.id = ulid_uuid(ids.ulid)",
          "here join (select n, ulid_uuid(ulid) u from ids) x on here.id = x.u",
          "here join (select ulid_uuid(ulid) id from ids) x using (id)",
          "here natural join (select n, ulid_uuid(ulid) id from ids) x",
          "here left semi join (select n, ulid_uuid(ulid) u from ids) x on x.u = here.id",
          "here join uuids on uuids.u = here.id",
          "here join (select max(ulid_uuid(ulid)) u from ids group by n) x on x.u = here.id");

  @TempDir private Path directory;

  static Stream<Arguments> everyForm() {
    return Stream.of(true, false)
        .flatMap(ansi -> FORMS.stream().map(form -> Arguments.of(form, ansi)));
  }

  @ParameterizedTest
  @MethodSource("everyForm")
  void everyFormOfAUuidIsComparedByItsValue(String form, boolean ansi) {
    SparkSession spark = session(form, ansi);
    List<String> conditions = List.copyOf(CONDITIONS.keySet());

    List<Row> rows =
        spark
            .sql("select n, " + given(String.join(", ", conditions)) + " from here order by n")
            .collectAsList();

    for (int i = 0; i < conditions.size(); i++) {
      int column = i + 1;
      assertThat(
              rows.stream()
                  .filter(row -> !row.isNullAt(column) && row.getBoolean(column))
                  .map(row -> row.get(0).toString())
                  .collect(joining(",")))
          .as(conditions.get(i))
          .isEqualTo(CONDITIONS.get(conditions.get(i)));
    }
  }

  @ParameterizedTest
  @MethodSource("everyForm")
  void everyFormOfAUuidIsFoundInASubquery(String form, boolean ansi) {
    SparkSession spark = session(form, ansi);

    assertThat(
            answers(
                spark,
                SUBQUERIES.keySet(),
                "(select array_join(array_sort(collect_list(n)), ',') from here where %s)"))
        .isEqualTo(SUBQUERIES);
  }

  @ParameterizedTest
  @MethodSource("everyForm")
  void everyFormOfAUuidIsJoinedByItsValue(String form, boolean ansi) {
    SparkSession spark = session(form, ansi);
    spark.sql("select ulid_uuid(ulid) u from ids").createOrReplaceTempView("uuids");

    assertThat(answers(spark, JOINS, "(select cast(count(*) as string) from %s)"))
        .isEqualTo(JOINS.stream().collect(toMap(join -> join, join -> "6")));
  }

  /** Returns the value of an expression for each text. */
  private static Map<String, String> answers(
      SparkSession spark, Collection<String> texts, String expression) {
    List<String> all = List.copyOf(texts);
    Row answers =
        spark
            .sql(
                all.stream()
                    .map(text -> given(expression.formatted(text)))
                    .collect(joining(", ", "select ", "")))
            .first();
    return IntStream.range(0, all.size()).boxed().collect(toMap(all::get, answers::getString));
  }

  private static String given(String sql) {
    return sql.replace("ULID", ULID).replace("TIME", "2022-03-31 15:23:55.999Z");
  }

  @Test
  void columnsOfQueriesAndOfJavaAreComparedByTheirValue() {
    SparkSession spark = session("bytes", true);

    assertThat(
            rows(
                spark,
                "with x as (select ulid_uuid(ulid) u from ids where n in (3, 4))"
                    + " select n from here join x on here.id = x.u join x y on here.id = y.u"))
        .isEqualTo("3,4");
    Dataset<Row> here = spark.table("here");
    assertThat(
            here.where(col("id").equalTo(ulid_uuid(lit(ULID))))
                .union(here.where(col("id").isin(ulid_uuid(lit(ULID)))))
                .count())
        .isEqualTo(2);
  }

  @Test
  void bytesReachTheFilesAsConstants() {
    SparkSession spark = session("bytes", true);
    spark.conf().set("spark.sql.maxMetadataStringLength", 1_000);
    String place = directory.resolve("ids").toString();
    spark.table("here").write().parquet(place);

    Dataset<Row> query =
        spark
            .read()
            .parquet(place)
            .where("id >= ulid_min(timestamp '2022-03-31 15:23:55.999Z') and id < ulid_max(now())");

    assertThat(query.queryExecution().executedPlan().toString())
        .contains("GreaterThanOrEqual(id,[B@", "LessThan(id,[B@");
    assertThat(query.count()).isEqualTo(2);
  }

  @Test
  void textThatIsNoUuidIsRefusedBesideBytes() {
    Dataset<Row> query =
        session("bytes", true)
            .sql("select n from here where id in (ulid_uuid('%s'), 'x')".formatted(ULID));

    assertThatThrownBy(query::collectAsList)
        .isInstanceOf(SparkRuntimeException.class)
        .hasMessageContaining("malformed UUID \"x\"");
  }

  /** A query without these functions keeps its plan. */
  @Test
  void otherComparisonsAreThoseOfSpark() {
    SparkSession spark = session("upper_case", true);

    assertThat(
            spark
                .sql("select n from here where id = '%s'".formatted(ULID))
                .queryExecution()
                .analyzed()
                .toString())
        .contains("(id#")
        .doesNotContain("lower(", " IN ");
    assertThat(rows(spark, "select n from here where ulid_text(id) = '%s'".formatted(ULID)))
        .isEqualTo("3");
  }

  private static String rows(SparkSession spark, String query) {
    return String.join(",", lines(spark.sql(query + " order by n")));
  }

  /** Returns a session with the view {@code here}, whose ids have a form. */
  private static SparkSession session(String form, boolean ansi) {
    SparkSession spark = (ansi ? Mode.WHOLE_STAGE : Mode.INTERPRETED).newSession();
    spark.conf().set("spark.sql.ansi.enabled", ansi);
    spark
        .sql(
            """
            select n, lower_case, upper(lower_case) upper_case,
              unhex(replace(lower_case, '-', '')) bytes, ulid_text(lower_case) ulid
            from values
              (0, '00000000-0000-0000-0000-000000000000'),
              (1, '017a0000-0000-9932-aaaa-01fd0ba14d3f'),
              (2, '017fe093-7ade-ffff-ffff-ffffffffffff'),
              (3, '017fe093-7adf-9932-aaaa-01fd0ba14d3f'),
              (4, '017fe093-7ae0-0000-0000-000000000000'),
              (5, 'bf7fe093-7adf-9932-aaaa-01fd0ba14d3f'),
              (6, null)
            as t (n, lower_case)
            """)
        .createOrReplaceTempView("ids");
    spark.sql("select n, ulid, %s as id from ids".formatted(form)).createOrReplaceTempView("here");
    return spark;
  }
}
