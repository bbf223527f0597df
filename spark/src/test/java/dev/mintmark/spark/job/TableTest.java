package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.ServerStart;
import dev.mintmark.spark.LocalSpark;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TimeZone;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("long")
class TableTest {
  private static EmbeddedPostgres server;

  @TempDir Path directory;

  private final JobRun job = new JobRun();
  private final List<String> warnings = new ArrayList<>();

  @BeforeAll
  static void startServer() throws SQLException {
    server =
        ServerStart.start(
            () ->
                EmbeddedPostgres.builder()
                    .setLocaleConfig("locale", "C")
                    // It would analyze tables.
                    .setServerConfig("autovacuum", "off"));
    execute("create schema \"Shop 1\"");
    execute(
        """
        create table "Shop 1".orders (
          number bigint not null,
          id uuid primary key,
          parent text,
          note text
        )
        """);
    String rows =
        IntStream.range(0, 1000)
            .mapToObj(
                number ->
                    "(%d, '%s', %s, 'note %d')"
                        .formatted(
                            number,
                            SampleRows.id(number),
                            SampleRows.parent(number) == null
                                ? "null"
                                : "'" + SampleRows.parent(number) + "'",
                            number))
            .collect(Collectors.joining(", "));
    execute("insert into \"Shop 1\".orders values " + rows);
  }

  @AfterAll
  static void stopServer() throws IOException {
    server.close();
  }

  @Test
  void everyRowOfATableIsInTheOutputOrInTheRejectsOnce() throws Exception {
    Summary summary = orders("--column", "id,parent", "--parts", "3");

    assertThat(SampleRows.read(output())).isEqualTo(SampleRows.converted(0, 1000));
    assertThat(SampleRows.read(rejects())).isEqualTo(SampleRows.rejected(0, 1000));
    assertThat(summary.parts()).isEqualTo(3);
    assertThat(job.stderr()).doesNotContain("warning");
  }

  @Test
  void partsOfAnAnalyzedTableAreOfOneSize() throws Exception {
    execute("create table skewed (id uuid primary key)");
    execute(
        """
        insert into skewed
        select uuid_in(md5(n::text)::cstring) from generate_series(1, 20) n
        union all
        select ('019a0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid
        from generate_series(1, 2000) n
        """);
    execute("analyze skewed");

    List<Part> parts = source("skewed", "id").divide(OptionalInt.of(4));

    for (Part part : parts) {
      assertThat(count("skewed", part)).as(part.toString()).isBetween(300L, 800L);
    }
  }

  @Test
  void partsOfAPartitionedTableAreAsManyAsThoseOfItsPartitions() throws Exception {
    execute("create table divided (id uuid primary key) partition by hash (id)");
    for (int i = 0; i < 2; i++) {
      execute(
          "create table divided_%1$s partition of divided for values with (modulus 2, remainder %1$s)"
              .formatted(i));
    }
    execute(
        "insert into divided select uuid_in(md5(n::text)::cstring) from generate_series(1, 100) n");
    assertThat(source("divided", "id").divide(OptionalInt.empty())).hasSize(1);
    assertThat(warnings).singleElement().asString().contains("public.divided", "--parts");

    execute("analyze divided_0; analyze divided_1");
    execute("update pg_class set reltuples = 5e6 where relname in ('divided_0', 'divided_1')");

    assertThat(source("divided", "id").divide(OptionalInt.empty())).hasSize(6);
    assertThat(warnings).hasSize(1);
  }

  @Test
  void aViewIsOnePartUnlessThePartsAreGiven() throws Exception {
    execute("create view seen as select * from \"Shop 1\".orders");

    assertThat(source("seen", "id").divide(OptionalInt.of(3))).hasSize(4);
    assertThat(warnings).isEmpty();
    assertThat(source("seen", "id").divide(OptionalInt.empty())).hasSize(2);
    assertThat(warnings)
        .containsExactly(
            "public.seen is read as one part, because PostgreSQL has no estimate of its rows: use"
                + " --parts, or analyze it if it is a table");
  }

  @Test
  void rowsWithoutAKeyAreAPartOfTheirOwn() throws Exception {
    execute("create table keyless (number bigint, id uuid)");
    execute("insert into keyless select n, null from generate_series(1, 5) n");
    execute(
        "insert into keyless select n, uuid_in(md5(n::text)::cstring) from generate_series(6, 9) n");

    Summary summary = table("keyless", "--column", "id", "--parts", "2");

    assertThat(SampleRows.read(output(), "number"))
        .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9");
    assertThat(summary.parts()).isEqualTo(3);
    assertThat(job.stderr()).contains("warning: no index of public.keyless begins with \"id\"");
  }

  /** PostgreSQL checks no existing rows, no foreign tables, and no children of the table. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          unvalidated | create table unvalidated (number int, id uuid); insert into unvalidated values (1, null), (2, '%1$s'); alter table unvalidated add constraint declared not null id not valid
          parents     | create table parents (number int, id uuid); create table children () inherits (parents); insert into children values (1, null), (2, '%1$s'); alter table only parents add constraint declared not null id no inherit
          filed       | create foreign table filed (number int, id uuid not null) server files options (format 'csv', program 'echo 1,; echo 2,%1$s')
          part_filed  | create table part_filed (number int, id uuid not null) partition by range (number); create foreign table part partition of part_filed for values from (1) to (3) server files options (format 'csv', program 'echo 1,; echo 2,%1$s')
          """)
  void rowsWithoutAKeyAreReadAlsoIfItIsDeclaredNotNull(String table, String statements)
      throws Exception {
    execute("create extension if not exists file_fdw");
    execute("create server if not exists files foreign data wrapper file_fdw");
    execute(statements.formatted(SampleRows.id(2)));

    table(table, "--column", "id", "--parts", "1");

    assertThat(SampleRows.read(output(), "number")).containsExactly("1", "2");
  }

  @Test
  void wholeNumbersMayBeTheKey() throws Exception {
    execute("create table numbered (number integer primary key, parent uuid)");
    execute("insert into numbered select n, null from generate_series(-5, 5) n");

    table("numbered", "--column", "parent", "--parts", "4");

    assertThat(SampleRows.read(output(), "number")).hasSize(11).doesNotHaveDuplicates();
  }

  @Test
  void namesOfTablesAreQuoted() throws Exception {
    execute("create table \"%1$s \"\" COLUMN\" (\"Key\"\"\" bigint primary key, id uuid)");
    execute(
        "insert into \"%1$s \"\" COLUMN\" values (-9223372036854775808), (9223372036854775807)");

    table("\"%1$s \"\" COLUMN\"", "--column", "id", "--parts", "2");

    assertThat(SampleRows.read(output(), "Key\""))
        .containsExactly("-9223372036854775808", "9223372036854775807");
  }

  /** Berlin had no time from 2 to 3 in that night. */
  @Test
  void timesWithoutAZoneDoNotDependOnThatOfTheCluster() throws Exception {
    execute("create table nightly (id uuid primary key, \"at \"\"1\"\"\" timestamp, daily time)");
    execute(
        "insert into nightly values ('%s', '2022-03-27 02:30:00.123456', '02:30'), ('%s', null, null)"
            .formatted(SampleRows.id(1), SampleRows.id(2)));
    TimeZone zone = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      table("nightly", "--column", "id", "--output-format", "csv");
    } finally {
      TimeZone.setDefault(zone);
    }

    List<String> rows =
        LocalSpark.newSession().read().textFile(output().toString()).collectAsList();
    assertThat(rows)
        .anyMatch(row -> row.endsWith(",2022-03-27T02:30:00.123456,1970-01-01T02:30:00.000000"))
        .anyMatch(row -> row.endsWith(",,"));
  }

  @Test
  void infiniteTimesAreRefused() throws Exception {
    execute("create table endless (id uuid primary key, at timestamp)");
    execute("insert into endless values ('%s', 'infinity')".formatted(SampleRows.id(1)));

    assertThatThrownBy(() -> table("endless", "--column", "id"))
        .rootCause()
        .hasMessageContaining("cannot convert infinity to bigint");
  }

  /** The plan has all types as JSON. */
  @Test
  void completeTablesAreLeftAsTheyAre() throws Exception {
    execute(
        """
        create table typed (id uuid primary key, a numeric, b timestamp, c timestamptz, d jsonb,
          e uuid[], f char(3), g bytea, h smallint)
        """);
    execute("insert into typed (id) values ('00000000-0000-7000-8000-000000000001')");

    Summary first = table("typed", "--column", "id");
    Summary second = table("typed", "--column", "id");

    assertThat(second.partsBefore()).isEqualTo(first.parts()).isPositive();
    assertThat(second.total()).isEqualTo(first.total());
  }

  @Test
  void emptyTablesGiveAnEmptyOutput() throws Exception {
    execute("create table nothing (id uuid primary key)");

    Summary summary = table("nothing", "--column", "id");

    assertThat(summary.total()).isEqualTo(PartResult.NONE);
    assertThat(output().resolve("_SUCCESS")).exists();
  }

  @Test
  void tablesMayBecomeCsvByMonth() throws Exception {
    orders("--column", "id", "--output-format", "csv", "--partition-by", "month");

    assertThat(
            LocalSpark.newSession()
                .read()
                .option("header", true)
                .csv(output().toString())
                .groupBy("created")
                .count()
                .count())
        .isEqualTo(3);
  }

  @Test
  void rowsThatComeBehindTheLastKeyAreLeftForAnotherTime() throws Exception {
    execute("create table growing (id uuid primary key)");
    execute("insert into growing values ('00000000-0000-7000-8000-000000000001')");
    Source source = source("growing", "id");
    List<Part> parts = source.divide(OptionalInt.of(1));

    execute("insert into growing values ('ffffffff-0000-7000-8000-000000000001')");

    assertThat(count("growing", parts.get(0))).isEqualTo(1);
  }

  @Test
  void changedColumnsAreRefused() throws Exception {
    execute("create table changing (id uuid primary key)");
    execute("insert into changing values ('00000000-0000-7000-8000-000000000001')");
    table("changing", "--column", "id");

    execute("alter table changing add note text");

    assertThatThrownBy(() -> table("changing", "--column", "id"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the columns of public.changing have changed since the first run");
  }

  /** Each part is read separately, and would have the columns of its time. */
  @Test
  void columnsThatChangeBetweenPartsAreRefused() throws Exception {
    execute("create table altered (id uuid primary key)");
    execute("insert into altered values ('00000000-0000-7000-8000-000000000001')");
    Source source = source("altered", "id");
    Plan plan =
        new Plan(
            "0a1b2c3d",
            0,
            Map.of(),
            source.origin(),
            source.schema().json(),
            source.divide(OptionalInt.of(1)));
    Part part = plan.parts().get(0);
    assertThat(source.read(plan, part).count()).isEqualTo(1);

    execute("alter table altered add note text");

    assertThatThrownBy(() -> source.read(plan, part))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("the columns of public.altered have changed during the run");
  }

  /** The settings of the connection resolve the name of a table without a schema. */
  @Test
  void tableOfTheSameNameInAnotherSchemaIsRefused() throws Exception {
    for (String schema : List.of("one", "other")) {
      execute("create schema %1$s create table stock (id uuid primary key)".formatted(schema));
    }
    tableAt(url() + "&currentSchema=one", "stock", "--column", "id");

    assertThatThrownBy(() -> tableAt(url() + "&currentSchema=other", "stock", "--column", "id"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--table stock was one.stock and is other.stock");
  }

  @Test
  void tablesThatCannotBeReadAreRefused() throws SQLException {
    execute("create table unkeyed (name text, id text)");

    assertThatThrownBy(() -> table("missing", "--column", "id"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--table \"missing\": there is no such table in jdbc:postgresql:");
    assertThatThrownBy(() -> table("unkeyed", "--column", "id"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be read by ranges of \"id\", which has the type text");
    assertThatThrownBy(() -> table("unkeyed", "--column", "id", "--split-column", "nmae"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--split-column \"nmae\": there is no such column; did you mean \"name\"?"
                + " (the columns are name, id)");
    assertThatThrownBy(() -> table("unkeyed", "--column", "price"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--column \"price\": there is no such column (the columns are name, id)");
    assertThatThrownBy(() -> table("unkeyed", "--column", "nope", "--split-column", "id"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be read by ranges of \"id\"");
  }

  @Test
  void passwordsAreNotKept() throws Exception {
    Summary summary =
        job.finish(
            "--format",
            "jdbc",
            "--url",
            url() + "&password=Xyzzy",
            "--table",
            "\"Shop 1\".orders",
            "--column",
            "id",
            "--output",
            output().toString());

    try (Stream<Path> files = Files.walk(output().resolve("_mintmark"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".json")))
          .isNotEmpty()
          .noneMatch(file -> contains(file, "Xyzzy"));
    }
    assertThat(summary.request().toString()).doesNotContain("Xyzzy");
  }

  @Test
  void aRunThatContinuesHasTheConnectionsOfItsOwn() throws Exception {
    execute("create table narrow (number integer primary key, id uuid)");
    execute("insert into narrow select n, null from generate_series(1, 100) n");
    Source first = source("narrow", "id", "--connections", "8");
    Plan plan =
        new Plan(
            "0a1b2c3d",
            0,
            Map.of(),
            first.origin(),
            first.schema().json(),
            first.divide(OptionalInt.of(1)));
    Part part = plan.parts().get(0);
    assertThat(first.read(plan, part).javaRDD().getNumPartitions()).isEqualTo(8);

    Dataset<Row> rows = source("narrow", "id", "--connections", "2").read(plan, part);

    assertThat(rows.javaRDD().getNumPartitions()).isEqualTo(2);
    assertThat(rows.count()).isEqualTo(100);
  }

  private Summary orders(String... more) throws Exception {
    return table("\"Shop 1\".orders", more);
  }

  private Summary table(String name, String... more) throws Exception {
    return tableAt(url(), name, more);
  }

  private Summary tableAt(String url, String name, String... more) throws Exception {
    return job.finish(
        Stream.concat(
                Stream.of("--format", "jdbc", "--url", url, "--table", name, "--connections", "2"),
                Stream.concat(Stream.of("--output", output().toString()), Stream.of(more)))
            .toArray(String[]::new));
  }

  private Source source(String table, String readable, String... more) {
    Request request =
        JobRun.request(
            Stream.concat(
                    Stream.of("--format", "jdbc", "--url", url(), "--table", table),
                    Stream.concat(
                        Stream.of("--column", readable, "--output", output().toString()),
                        Stream.of(more)))
                .toArray(String[]::new));
    return TableSource.open(
        LocalSpark.newSession(), (Request.Table) request.input(), readable, warnings::add);
  }

  private static long count(String table, Part part) throws SQLException {
    long count = 0;
    for (String condition : part.conditions()) {
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement();
          var rows =
              statement.executeQuery(
                  "select count(*) from %s where %s".formatted(table, condition))) {
        rows.next();
        count += rows.getLong(1);
      }
    }
    return count;
  }

  private Path output() {
    return directory.resolve("readable");
  }

  private Path rejects() {
    return directory.resolve("readable-rejects");
  }

  private static String url() {
    return "jdbc:postgresql://localhost:%d/postgres?user=postgres".formatted(server.getPort());
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
