package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ReadableColumnsTest {
  private static final String EXTENSIONS = "spark.sql.extensions";
  private static final String OURS = "dev.mintmark.spark.MintmarkExtensions";
  private static final String TABLE = "--format jdbc --table t --column id --output x --url ";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void helpTellsOfOptionsAndStatuses() {
    assertThat(status("--help")).isZero();
    assertThat(out.toString()).contains("--partition-by", "--rejects", "Exit status: 0 done");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --format csv --column id --output x                              | need --input PATH
          --format jdbc --column id --output x --url u                     | needs --url URL and --table NAME
          --format csv --input a --column id                               | --output
          --format xml --input a --column id --output x                    | --format
          --format csv --input a --column id --output x --parts 0          | --parts: expected 1 to 99,999
          --format csv --input a --column id,id --output x                 | --column: a column is named twice
          --format csv --input a --column id --output x --suffix=          | --suffix: expected one character or more
          --format csv --input a --column id --output x --null a,b         | --null: expected no quotes
          --format csv --input a --column id --output x --delimiter \t --one-line-records | --one-line-records: expected a delimiter
          --format csv --input a --column id --output x --split-column id  | --split-column requires --format jdbc
          --format csv --input a --column id --output x --partition-column _c | expected letters
          --format jdbc --url jdbc:mysql:x --table t --column id --output x | only PostgreSQL is supported
          --format csv --input a --column id --output x --reject y         | --rejects
          """)
  void wrongUsageIsToldInShort(String arguments, String message) {
    assertThat(status(arguments.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).contains(message).contains("try: --help");
    assertThat(err.toString().lines().count()).isLessThan(6);
  }

  @Test
  void failureAfterThePlanIsNotOneOfTheArguments() {
    CommandLine command = ReadableColumns.commandLine().setErr(new PrintWriter(err));
    Exception failure = new IllegalArgumentException("unknown codec");

    assertThat(ReadableColumns.explain(failure, false, command)).isEqualTo(2);
    assertThat(err.toString()).isEqualTo("ReadableColumns: unknown codec%n".formatted());
    assertThat(ReadableColumns.explain(failure, true, command)).isEqualTo(3);
    assertThat(err.toString()).contains("run the same command again to continue: ", "\tat ");
  }

  @Test
  void aRunThatStartedOverContinuesWithoutTheOption() {
    CommandLine command = ReadableColumns.commandLine().setErr(new PrintWriter(err));
    command.parseArgs("--format csv --input a --column id --output x --restart".split(" ", -1));
    Exception failure = new IllegalStateException("no executor");

    ReadableColumns.explain(failure, true, command);
    assertThat(err.toString()).contains("run the same command without --restart to continue: ");
    ReadableColumns.explain(failure, false, command);
    assertThat(err.toString()).contains("run the same command again to continue: ");
  }

  /** It would be 1, which means that rows were rejected. */
  @Test
  void errorsOfTheJvmAreFailures() {
    CommandLine command =
        ReadableColumns.commandLine()
            .setErr(new PrintWriter(err))
            .setExecutionStrategy(
                parsed -> {
                  throw new NoClassDefFoundError("org/apache/spark/sql/Observation");
                });

    int status =
        ReadableColumns.status(
            command, "--format csv --input a --column id --output x".split(" ", -1));

    assertThat(status).isEqualTo(3);
    assertThat(err.toString()).contains("again to continue: java.lang.NoClassDefFoundError: org/");
  }

  @Test
  void ourExtensionStandsBesideOthers() {
    SparkConf none = ReadableColumns.settings(new SparkConf(false));
    SparkConf other = ReadableColumns.settings(new SparkConf(false).set(EXTENSIONS, "a.B"));
    SparkConf ours = ReadableColumns.settings(new SparkConf(false).set(EXTENSIONS, OURS));

    assertThat(Stream.of(none, other, ours).map(each -> each.get(EXTENSIONS)))
        .containsExactly(OURS, "a.B," + OURS, OURS);
  }

  @Test
  void loginsComeFromTheEnvironmentUnlessTheUrlHasThem() {
    Map<String, String> environment = Map.of("PGUSER", "ana", "PGPASSWORD", "secret");

    Request.Table fromEnvironment = table("jdbc:postgresql://h/d", environment);
    Request.Table fromUrl = table("jdbc:postgresql://h/d?user=u&password=p", environment);

    assertThat(fromEnvironment.user()).isEqualTo(Optional.of("ana"));
    assertThat(fromEnvironment.password()).isEqualTo(Optional.of("secret"));
    assertThat(fromUrl.user()).isEmpty();
    assertThat(fromUrl.password()).isEmpty();
    assertThat(fromEnvironment.toString()).doesNotContain("secret");
  }

  @Test
  void passwordsMayBeASettingOfSpark() {
    SparkConf settings = new SparkConf(false).set("spark.mintmark.jdbc.password", "secret");

    assertThat(table("jdbc:postgresql://h/d", Map.of(), settings).password())
        .isEqualTo(Optional.of("secret"));
  }

  private static Request.Table table(String url, Map<String, String> environment) {
    return table(url, environment, new SparkConf(false));
  }

  private static Request.Table table(
      String url, Map<String, String> environment, SparkConf settings) {
    CommandLine commandLine = ReadableColumns.commandLine();
    commandLine.parseArgs((TABLE + url).split(" ", -1));
    ReadableColumns job = commandLine.getCommand();
    return (Request.Table) job.request(environment, settings).input();
  }

  private int status(String... args) {
    return ReadableColumns.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
