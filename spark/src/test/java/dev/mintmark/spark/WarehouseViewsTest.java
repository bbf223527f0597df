package dev.mintmark.spark;

import static dev.mintmark.spark.LocalSpark.line;
import static dev.mintmark.spark.LocalSpark.lines;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ulid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the script of {@code mintmark udf databricks}, from the golden file of warehouse. */
@Tag("matrix")
class WarehouseViewsTest {
  private static final Path SCRIPT =
      Path.of("../warehouse/src/test/resources/dev/mintmark/warehouse/golden/databricks.sql");
  private static final Pattern FROM = Pattern.compile("(?m)^from `(\\w+)`\\.`(\\w+)` as t;");
  private static final Pattern COLUMN = Pattern.compile("t\\.`([^`]+)`");
  private static final String ID = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
  private static final String TEXT = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final int ULIDS = 100_000;

  /** The UUID of a ULID of the years 1970 to 2023, of the number n of a row. */
  private static final String RANDOM_ULID =
      "lower(regexp_replace(lpad(hex(n * 17000003), 12, '0') || left(md5(string(n)), 20),"
          + " '(.{8})(.{4})(.{4})(.{4})(.{12})', '$1-$2-$3-$4-$5'))";

  private final SparkSession spark = LocalSpark.newSession();

  @BeforeEach
  @AfterEach
  void dropSchemas() {
    for (String schema : List.of("mintmark", "public", "legacy", "shop")) {
      spark.sql("drop schema if exists " + schema + " cascade");
    }
  }

  @Test
  void theScriptMakesViewsThatSessionsRead() throws IOException {
    runScript("'" + ID + "'");

    SparkSession reader = LocalSpark.newSession();
    assertThat(reader.table("mintmark.ulid").columns())
        .containsExactly("id", "note", "id_text", "id_time", "id_puri");
    assertThat(lines(reader.table("mintmark.ulid")))
        .containsExactly(
            line(ID, "a", TEXT, "2022-03-31 15:23:55.999", "bobsburgers:ulid:" + TEXT));
    assertThat(lines(reader.table("mintmark.ulid_kept_as_text")))
        .containsExactly(
            line(
                TEXT, "a", ID, "2022-03-31 15:23:55.999", "bobsburgers:ulid-kept-as-text:" + TEXT));
    assertThat(lines(reader.table("mintmark.sequence")))
        .containsExactly(line(7, "a", "PM000007", "bobsburgers:sequence:PM000007"));
    assertThat(lines(reader.table("mintmark.tsid")))
        .containsExactly(line(7, "a", "0000000000007", "bobsburgers:tsid:0000000000007"));
    assertThat(lines(reader.sql("select * from mintmark.typeid")))
        .singleElement()
        .asString()
        .contains("|user_01fzg96ypzk4sanag1zm5t2k9z|");
    List<String> views = lines(reader.sql("show views in mintmark").select("viewName"));
    assertThat(views).hasSizeGreaterThan(15).allMatch(view -> hasPuri(reader, view));
  }

  /** Spark reads the UUIDs of Parquet as bytes; SQL Server writes them in upper case. */
  @ParameterizedTest
  @ValueSource(strings = {"unhex(replace('ID', '-', ''))", "upper('ID')"})
  void viewsAreTheSameForUuidsInAnotherForm(String value) throws IOException {
    runScript(value.replace("ID", ID));

    assertThat(lines(spark.sql("select id_text, id_time, id_puri from mintmark.uuidv7")))
        .containsExactly(line(TEXT, "2022-03-31 15:23:55.999", "bobsburgers:uuidv7:" + ID));
    assertThat(lines(spark.sql("select id_puri from mintmark.uuidv4")))
        .containsExactly("bobsburgers:uuidv4:" + ID);
    assertThat(lines(spark.sql("select id_puri from mintmark.ulid")))
        .containsExactly("bobsburgers:ulid:" + TEXT);
    String typeId = "user_" + TEXT.toLowerCase(Locale.ROOT);
    assertThat(lines(spark.sql("select id_text, id_puri from mintmark.typeid")))
        .containsExactly(line(typeId, "bobsburgers:typeid:" + typeId));
  }

  /**
   * One ULID in eight has the version and variant of a UUID; its time is still its first 48 bits.
   */
  @ParameterizedTest
  @ValueSource(strings = {"ID", "unhex(replace(ID, '-', ''))"})
  void aHundredThousandUlidsKeepTheirTextAndTime(String value) throws IOException {
    runScript(value.replace("ID", RANDOM_ULID), "range(%d)".formatted(ULIDS));

    List<Row> rows =
        spark
            .sql(
                """
                select id_text, unix_millis(id_time) as millis, ulid_uuid(id_text) as uuid,
                  typeid_uuid(typeid_text('user', id)) as uuid_again, ulid_time(id) = id_time as same
                from mintmark.ulid
                """)
            .collectAsList();

    assertThat(rows).hasSize(ULIDS);
    Set<Integer> versions = new TreeSet<>();
    for (Row row : rows) {
      UUID uuid = UUID.fromString(row.getAs("uuid"));
      versions.add(uuid.version());
      assertThat(row.<String>getAs("id_text")).isEqualTo(Ulid.of(uuid).toString());
      assertThat(row.<Long>getAs("millis"))
          .as("%s", uuid)
          .isEqualTo(uuid.getMostSignificantBits() >>> 16);
      assertThat(row.<String>getAs("uuid_again")).isEqualTo(uuid.toString());
      assertThat(row.<Boolean>getAs("same")).isTrue();
    }
    assertThat(versions).hasSize(16);
    assertThat(spark.sql("select distinct id_time from mintmark.ulid").count()).isEqualTo(ULIDS);
  }

  private void runScript(String uuid) throws IOException {
    runScript(uuid, "range(1)");
  }

  /** Runs the script twice on tables in which a UUID is the value of an expression for each row. */
  private void runScript(String uuid, String rows) throws IOException {
    List<String> statements =
        List.of(Files.readString(SCRIPT).replaceAll("(?m)^--.*$", "").split(";\\s*", -1));
    for (String statement : statements) {
      FROM.matcher(statement + ";")
          .results()
          .forEach(from -> createTable(from, statement, uuid, rows));
    }
    for (int run = 0; run < 2; run++) {
      statements.stream().filter(each -> !each.isBlank()).forEach(spark::sql);
    }
  }

  private static boolean hasPuri(SparkSession reader, String view) {
    return List.of(reader.table("mintmark." + view).columns()).stream()
        .anyMatch(column -> column.endsWith("_puri"));
  }

  /** Creates the table of a view, with rows of the types of a load from PostgreSQL. */
  private void createTable(MatchResult from, String view, String uuid, String rows) {
    String name = "`%s`.`%s`".formatted(from.group(1), from.group(2));
    String column = COLUMN.matcher(view).results().findFirst().orElseThrow().group(1);
    String value =
        isBigint(from.group(2)) ? "7L" : column.startsWith("ulid_") ? "'" + TEXT + "'" : uuid;
    spark.sql("create schema if not exists `%s`".formatted(from.group(1)));
    spark.sql(
        "create view %s as select %s as `%s`, 'a' as note from %s as r (n)"
            .formatted(name, value, column, rows));
  }

  private static boolean isBigint(String table) {
    return List.of("sequence", "snowflake", "tsid", "plain").contains(table);
  }
}
