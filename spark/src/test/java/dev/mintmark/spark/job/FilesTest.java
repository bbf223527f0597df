package dev.mintmark.spark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Ulid;
import dev.mintmark.spark.LocalSpark;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class FilesTest {
  private static final String ID = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
  private static final String TEXT = Ulid.of(UUID.fromString(ID)).toString();

  @TempDir Path directory;

  private final JobRun job = new JobRun();
  private Path input;
  private Path output;
  private Path rejects;

  @BeforeEach
  void nameDirectories() {
    input = directory.resolve("orders");
    output = directory.resolve("readable");
    rejects = directory.resolve("readable-rejects");
  }

  @Test
  void everyRowOfParquetIsInTheOutputOrInTheRejectsOnce() throws Exception {
    SampleRows.parquet(input, 0, 1000, 5);

    Summary summary = parquet("--parts", "3");

    assertThat(SampleRows.read(output)).isEqualTo(SampleRows.converted(0, 1000));
    assertThat(SampleRows.read(rejects)).isEqualTo(SampleRows.rejected(0, 1000));
    assertThat(summary.total().rows()).isEqualTo(1000);
    assertThat(summary.total().rejected()).isEqualTo(SampleRows.rejected(0, 1000).size());
    assertThat(summary.parts()).isEqualTo(3);
    assertThat(job.stderr()).contains("3 of 3: 1,000 rows");
    assertThat(output.resolve("_SUCCESS")).exists();
    assertThat(names(output)).allMatch(name -> name.matches("part-0000[123]-.*[.]parquet"));
    assertThat(output.resolve("_mintmark/staging")).doesNotExist();
    assertThat(rejects.resolve("_mintmark")).doesNotExist();
  }

  @Test
  void newColumnsStandBehindTheirSources() throws Exception {
    SampleRows.parquet(input, 0, 10, 1);

    parquet("--suffix", "_ulid");

    assertThat(LocalSpark.newSession().read().parquet(output.toString()).columns())
        .containsExactly("number", "id", "id_ulid", "parent", "parent_ulid", "note");
  }

  @Test
  void outputIsDividedByMonthsInUtc() throws Exception {
    SampleRows.parquet(input, 0, 100, 2);

    parquet("--partition-by", "month");

    assertThat(directories(output))
        .containsExactlyInAnyOrder("created=2026-01", "created=2026-02", "created=2026-03");
    List<Row> inFebruary =
        LocalSpark.newSession()
            .read()
            .parquet(output.resolve("created=2026-02").toString())
            .collectAsList();
    assertThat(inFebruary).hasSizeGreaterThan(20).allMatch(row -> row.getLong(0) % 3 == 1);
  }

  @Test
  void rowsWithoutATimeAreInTheDefaultPartition() throws Exception {
    csv("id\n" + ID + "\n\"\"\n\nffffffff-ffff-7fff-bfff-ffffffffffff\n" + ID + "\n");

    job.finish(csvArgs("--null", "", "--partition-by", "day", "--output-format", "parquet"));

    assertThat(rowsByDirectory())
        .isEqualTo(Map.of("created=2022-03-31", 2L, "created=__HIVE_DEFAULT_PARTITION__", 1L));
  }

  @Test
  void timesOfRandomUuidsAreRefusedBeforeAnythingIsWritten() {
    LocalSpark.newSession()
        .sql("select uuid() as id from range(100)")
        .write()
        .parquet(input.toString());

    assertThatThrownBy(() -> job.finish(args("parquet", "--column", "id", "--partition-by", "day")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("of the first 100 identifiers in id")
        .hasMessageContaining("--partition-by none");
    assertThat(names(output)).isEmpty();
  }

  @Test
  void uuidsOfParquetMayBeBytes() throws Exception {
    LocalSpark.newSession()
        .sql(
            "select unhex(hex) as id from values ('%s'), (null), ('abcd') as ids (hex)"
                .formatted(ID.replace("-", "")))
        .write()
        .parquet(input.toString());

    Summary summary = job.finish(args("parquet", "--column", "id"));

    assertThat(SampleRows.read(output, "id_text")).containsExactly(TEXT, "null");
    assertThat(SampleRows.read(rejects, "mintmark_column", "mintmark_reason"))
        .hasSize(1)
        .allMatch(row -> row.startsWith("id|") && row.contains("16"));
    assertThat(summary.total().rejected()).isEqualTo(1);
  }

  /** DuckDB, Arrow and other libraries write this type. */
  @Test
  void uuidsOfParquetMayBeOfItsOwnType() throws Exception {
    MessageType columns =
        MessageTypeParser.parseMessageType(
            "message row { optional fixed_len_byte_array(16) id (UUID); required int64 number; }");
    byte[] bytes = Ulid.of(UUID.fromString(ID)).toBytes();
    writeParquet(
        "half=x/a.parquet",
        columns,
        new SimpleGroup(columns)
            .append("id", Binary.fromConstantByteArray(bytes))
            .append("number", 1L),
        new SimpleGroup(columns).append("number", 2L));

    job.finish(args("parquet", "--column", "id", "--partition-by", "day"));

    assertThat(SampleRows.read(output, "id_text", "number", "half"))
        .containsExactly(TEXT + "|1|x", "null|2|x");
  }

  @Test
  void columnsThatOnlySomeFilesHaveAreKept() throws Exception {
    SampleRows.dataset(0, 10).drop("note").write().parquet(input.resolve("a").toString());
    SampleRows.dataset(10, 20).write().parquet(input.resolve("b").toString());

    parquet();

    assertThat(SampleRows.read(output, "note")).contains("note 12").contains("null");
    assertThat(SampleRows.read(output, "number")).hasSize(SampleRows.converted(0, 20).size());
  }

  @Test
  void namesOfDirectoriesAndStarsInPathsAreKept() throws Exception {
    input = directory.resolve("a [b]* {c}");
    SampleRows.dataset(0, 10)
        .selectExpr("*", "if(number < 5, 'x', 'y') as half")
        .write()
        .partitionBy("half")
        .parquet(input.toString());

    parquet();

    assertThat(SampleRows.read(output, "half")).contains("x", "y");
    assertThat(SampleRows.read(output, "number")).hasSize(SampleRows.converted(0, 10).size());
  }

  @Test
  void fieldsOfCsvAreWrittenAsTheyWere() throws Exception {
    csv(
        """
        id,text,"more, or less"
        %s,"two
        lines, ""quoted""\", spaces\s
        ,"",\\backslash\\
        """
            .formatted(ID));

    job.finish(csvArgs());

    assertThat(content(output))
        .isEqualTo(
            """
            id,id_text,text,"more, or less"
            %s,%s,"two
            lines, ""quoted""\", spaces\s
            ,,"",\\backslash\\
            """
                .formatted(ID, TEXT));
  }

  @Test
  void nullOfCsvMayBeAText() throws Exception {
    csv("id;text\n" + ID + ";\n\\N;\\N\n");

    job.finish(csvArgs("--null", "\\N", "--delimiter", ";"));

    assertThat(content(output))
        .isEqualTo("id;id_text;text\n" + ID + ";" + TEXT + ";\"\"\n\\N;\\N;\\N\n");
  }

  @Test
  void recordsOfAnotherLengthAreRejectedAsTheyAre() throws Exception {
    csv("id,note\n" + ID + "\n" + ID + ",a\n" + ID + ",a,b\nnone,c\n");

    Summary summary = job.finish(csvArgs());

    assertThat(content(output)).isEqualTo("id,id_text,note\n" + ID + "," + TEXT + ",a\n");
    assertThat(content(rejects).lines())
        .hasSize(4)
        .anyMatch(line -> line.contains("as many fields") && line.endsWith(",\"" + ID + ",a,b\""))
        .anyMatch(line -> line.startsWith("none,c,id,\"malformed UUID \"\"none\"\""));
    assertThat(summary.total().rejected()).isEqualTo(3);
  }

  /** Spark reads what follows the quote as one field, and rejects nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"%1$s,\"a\n%1$s,b\n", "%1$s,\"a\n%1$s,\"b\"\n%1$s,c\n"})
  void aQuoteThatIsNotClosedFailsTheRun(String rows) throws IOException {
    csv("id,note\n" + ID + ",\"a\nb\"\n" + rows.formatted(ID));

    assertThatThrownBy(() -> job.finish(csvArgs()))
        .isInstanceOf(JobException.class)
        .hasMessageMatching("file:.*/a.csv: line 4: a quote is not closed, .*");
    assertThat(names(output)).isEmpty();
  }

  @Test
  void filesOfAnotherHeaderAreRefused() throws IOException {
    csv("id,note\n" + ID + ",a\n");
    Files.writeString(input.resolve("b.csv"), "note,id\na," + ID + "\n");

    assertThatThrownBy(() -> job.finish(csvArgs("--parts", "2")))
        .rootCause()
        .hasMessageContaining("header");
  }

  @Test
  void headersWithoutANameForEachColumnAreRefused() throws IOException {
    csv("id,x,x\n" + ID + ",1,2\n");
    assertThatThrownBy(() -> job.finish(csvArgs()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("a.csv: two columns have the name \"x\"");

    csv("id,,x\n" + ID + ",1,2\n");
    assertThatThrownBy(() -> job.finish(csvArgs()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("a.csv: column 2 has no name in the header");
    assertThat(output.resolve("_mintmark/plan.json")).doesNotExist();
  }

  /** Spark would read the first directory as a number, and reject the second. */
  @Test
  void directoriesOfCsvAreColumnsOfText() throws Exception {
    for (String name : List.of("region=007", "region=eu")) {
      Files.createDirectories(input.resolve(name));
      Files.writeString(input.resolve(name).resolve("a.csv"), "\ufeffid\r\n" + ID + "\r\n");
    }

    job.finish(csvArgs("--output-format", "parquet"));

    assertThat(SampleRows.read(output))
        .containsExactly(ID + "|" + TEXT + "|007", ID + "|" + TEXT + "|eu");
  }

  @Test
  void nullTextIsNotThatOfDirectories() throws Exception {
    for (String name : List.of("region=__HIVE_DEFAULT_PARTITION__", "region=eu")) {
      Files.createDirectories(input.resolve(name));
      Files.writeString(input.resolve(name).resolve("a.csv"), "id,note\n" + ID + ",eu\n");
    }

    job.finish(csvArgs("--null", "eu", "--output-format", "parquet"));

    assertThat(SampleRows.read(output, "note", "region")).containsExactly("null|eu", "null|null");
  }

  @Test
  void valuesOfEveryTypeAreWrittenToCsvWhole() throws Exception {
    LocalSpark.newSession()
        .sql(
            """
            select unhex(replace('%s', '-')) id, timestamp '2022-03-31 15:23:55.123456Z' at,
              timestamp_ntz '2022-03-31 15:23:55.12' here, 1.50 number
            """
                .formatted(ID))
        .write()
        .parquet(input.toString());

    job.finish(args("parquet", "--column", "id", "--output-format", "csv"));

    assertThat(content(output).lines().skip(1))
        .containsExactly(
            ID.replace("-", "").toUpperCase(Locale.ROOT)
                + ","
                + TEXT
                + ",2022-03-31T15:23:55.123456Z,2022-03-31T15:23:55.120000,1.50");
  }

  @Test
  void settingsOfTheClusterDoNotChangeValues() throws Throwable {
    LocalSpark.newSession()
        .sql(
            """
            select unhex(replace('%s', '-')) id, timestamp '2022-03-31 15:23:55.123456Z' at,
              cast(null as string) note
            """
                .formatted(ID))
        .write()
        .parquet(input.toString());
    Map<String, String> settings =
        Map.of(
            "spark.sql.legacy.nullValueWrittenAsQuotedEmptyStringCsv",
            "true",
            "spark.sql.legacy.timeParserPolicy",
            "LEGACY",
            "spark.sql.parquet.outputTimestampType",
            "TIMESTAMP_MILLIS");
    Path asCsv = directory.resolve("csv");

    inACluster(
        settings,
        () -> {
          job.finish(args("parquet", "--column", "id"));
          output = asCsv;
          job.finish(args("parquet", "--column", "id", "--output-format", "csv"));
        });

    assertThat(SampleRows.read(directory.resolve("readable"), "at"))
        .containsExactly("2022-03-31 15:23:55.123456");
    assertThat(content(asCsv).lines().skip(1))
        .containsExactly(
            ID.replace("-", "").toUpperCase(Locale.ROOT)
                + ","
                + TEXT
                + ",2022-03-31T15:23:55.123456Z,");
  }

  /**
   * Files of other programs do not have the schema of Spark, which the setting would not change.
   */
  @Test
  void settingsOfTheClusterDoNotMakeTextOfBytes() throws Throwable {
    MessageType columns = MessageTypeParser.parseMessageType("message row { optional binary id; }");
    writeParquet(
        "a.parquet",
        columns,
        new SimpleGroup(columns)
            .append("id", Binary.fromConstantByteArray(Ulid.of(UUID.fromString(ID)).toBytes())));

    inACluster(
        Map.of("spark.sql.parquet.binaryAsString", "true"),
        () -> job.finish(args("parquet", "--column", "id")));

    assertThat(SampleRows.read(output, "id_text")).containsExactly(TEXT);
  }

  @Test
  void settingsOfTheClusterDoNotSkipDirectories() throws Throwable {
    SampleRows.parquet(input.resolve("half=x"), 0, 10, 1);
    SampleRows.parquet(input.resolve("other"), 10, 20, 1);

    inACluster(
        Map.of("spark.sql.files.ignoreInvalidPartitionPaths", "true"),
        () ->
            assertThatThrownBy(this::parquet)
                .hasMessageContaining("Conflicting directory structures"));
  }

  @Test
  void whatIsNoFieldOfCsvIsRefusedBeforeAnythingIsPlanned() {
    LocalSpark.newSession()
        .sql("select '%s' id, array(1) numbers".formatted(ID))
        .write()
        .parquet(input.toString());

    assertThatThrownBy(
            () -> job.finish(args("parquet", "--column", "id", "--output-format", "csv")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--output-format csv: the column \"numbers\" has the type array<int>, which is not a"
                + " type of CSV fields");
    assertThat(output.resolve("_mintmark/plan.json")).doesNotExist();
  }

  @Test
  void csvWithoutAHeaderHasNumberedColumns() throws Exception {
    csv("a," + ID + "\n");

    job.finish(args("csv", "--column", "_c1", "--no-header"));

    assertThat(content(output)).isEqualTo("a," + ID + "," + TEXT + "\n");
  }

  @Test
  void completeOutputIsLeftAsItIs() throws Exception {
    SampleRows.parquet(input, 0, 50, 2);
    Summary first = parquet();
    Map<Path, FileTime> before = times();

    Summary second = parquet();

    assertThat(times()).isEqualTo(before);
    assertThat(second.total()).isEqualTo(first.total());
    assertThat(second.partsBefore()).isEqualTo(first.parts());
  }

  @Test
  void otherArgumentsOnTheSameOutputAreRefused() throws Exception {
    SampleRows.parquet(input, 0, 10, 1);
    parquet();

    assertThatThrownBy(() -> parquet("--suffix", "_ulid"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--suffix was \"_text\" and is \"_ulid\"");
  }

  @Test
  void changedInputIsRefusedUntilAllIsBegunAnew() throws Exception {
    SampleRows.parquet(input, 0, 10, 1);
    parquet();
    SampleRows.dataset(10, 20).write().mode("append").parquet(input.toString());

    assertThatThrownBy(this::parquet)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the input has changed since the first run: ")
        .hasMessageContaining(" was added; use --restart to start over");
    assertThatThrownBy(() -> job.finish(args("parquet", "--column", "idd", "--restart")))
        .hasMessageContaining("there is no such column");
    assertThat(SampleRows.read(output)).isEqualTo(SampleRows.converted(0, 10));
    Files.writeString(output.resolve("mine.txt"), "not of the job");
    parquet("--restart", "--suffix", "_ulid");

    assertThat(names(output)).contains("mine.txt");
    Files.delete(output.resolve("mine.txt"));
    assertThat(SampleRows.read(output)).isEqualTo(SampleRows.converted(0, 20));
    assertThat(SampleRows.read(rejects)).isEqualTo(SampleRows.rejected(0, 20));
  }

  @Test
  void goneAndRewrittenFilesAreRefused() throws Exception {
    csv("id\n" + ID + "\n");
    job.finish(csvArgs());

    Files.writeString(input.resolve("a.csv"), "id\n" + ID + "\n" + ID + "\n");
    assertThatThrownBy(() -> job.finish(csvArgs())).hasMessageContaining("a.csv was modified");
    Files.move(input.resolve("a.csv"), input.resolve("c.csv"));
    assertThatThrownBy(() -> job.finish(csvArgs())).hasMessageContaining("a.csv no longer exists");
  }

  @Test
  void outputWithOtherFilesIsRefused() throws Exception {
    SampleRows.parquet(input, 0, 10, 1);
    Files.createDirectories(output);
    Files.writeString(output.resolve("mine.txt"), "not of the job");

    assertThatThrownBy(this::parquet)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it contains files that this job did not write");
  }

  /** Spark reports a missing file as it reports a wrong path: with an AnalysisException. */
  @Test
  void runThatFailsAfterItsPlanTellsSo() throws Exception {
    csv("id\n" + ID + "\n");
    Path second = Files.writeString(input.resolve("b.csv"), "id\n" + ID + "\n");
    PrintWriter progress = afterEachPart(() -> Files.deleteIfExists(second));
    Run run = job.run(progress, csvArgs("--parts", "2"));

    assertThatThrownBy(run::finish).isInstanceOf(AnalysisException.class);

    assertThat(run.isPlanned()).isTrue();
    Run other = job.run(progress, csvArgs("--parts", "2", "--suffix", "_ulid"));
    assertThatThrownBy(other::finish).isInstanceOf(IllegalArgumentException.class);
    assertThat(other.isPlanned()).isFalse();
  }

  @Test
  void aFileThatIsReplacedWhileItIsReadFailsTheRun() throws Exception {
    csv("id\n" + ID + "\n");
    Path second = Files.writeString(input.resolve("b.csv"), "id\n" + ID + "\n");
    PrintWriter progress =
        afterEachPart(() -> Files.writeString(second, "id\n" + ID + "\n" + ID + "\n"));

    assertThatThrownBy(job.run(progress, csvArgs("--parts", "2"))::finish)
        .isInstanceOf(JobException.class)
        .hasMessageStartingWith("the input has changed during the run: file:")
        .hasMessageEndingWith("b.csv was modified; use --restart to start over");
    assertThat(names(output)).noneMatch(name -> name.startsWith("part-00002-"));
  }

  @Test
  void aFileThatIsAddedDuringTheRunFailsIt() throws Exception {
    csv("id\n" + ID + "\n");
    PrintWriter progress =
        afterEachPart(() -> Files.writeString(input.resolve("b.csv"), "id\n" + ID + "\n"));

    assertThatThrownBy(job.run(progress, csvArgs())::finish)
        .isInstanceOf(JobException.class)
        .hasMessageEndingWith("b.csv was added; use --restart to start over");
    assertThat(output.resolve("_SUCCESS")).doesNotExist();
  }

  /** A run that was suspended between its check of the lease and the removal does the same. */
  @Test
  void filesThatAnotherRunRemovesAreWrittenAgain() throws Exception {
    SampleRows.parquet(input, 0, 1000, 5);
    String[] arguments = args("parquet", "--column", "id,parent", "--parts", "3");
    PrintWriter progress = afterEachPart(() -> removeOneOfTwo(output));

    assertThatThrownBy(job.run(progress, arguments)::finish)
        .isInstanceOf(JobException.class)
        .hasMessageContaining(output + ": part 1 has 1 file of")
        .hasMessageContaining("; written were 2 files of")
        .hasMessageContaining("run the job again");
    assertThat(output.resolve("_SUCCESS")).doesNotExist();

    Summary summary = job.finish(arguments);

    assertThat(job.stderr()).contains("warning: part 1 has").contains("is converted again");
    assertThat(summary.partsBefore()).isEqualTo(2);
    assertThat(SampleRows.read(output)).isEqualTo(SampleRows.converted(0, 1000));
    assertThat(SampleRows.read(rejects)).isEqualTo(SampleRows.rejected(0, 1000));
  }

  @Test
  void rejectsThatAnotherRunRemovesAreWrittenAgain() throws Exception {
    SampleRows.parquet(input, 0, 1000, 5);
    String[] arguments = args("parquet", "--column", "id,parent", "--parts", "3");
    PrintWriter progress = afterEachPart(() -> removeOneOfTwo(rejects));

    assertThatThrownBy(job.run(progress, arguments)::finish).isInstanceOf(JobException.class);
    job.finish(arguments);

    assertThat(SampleRows.read(output)).isEqualTo(SampleRows.converted(0, 1000));
    assertThat(SampleRows.read(rejects)).isEqualTo(SampleRows.rejected(0, 1000));
  }

  @Test
  void directoriesWithinOneAnotherAreRefused() {
    SampleRows.parquet(input, 0, 10, 1);
    output = input.resolve("readable");

    assertThatThrownBy(this::parquet)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("neither may be within the other");
  }

  @Test
  void columnsThatCannotBecomeReadableAreRefused() {
    SampleRows.dataset(0, 10).selectExpr("*", "note Id_Text").write().parquet(input.toString());

    assertThatThrownBy(() -> job.finish(args("parquet", "--column", "parant")))
        .hasMessage(
            "--column \"parant\": there is no such column; did you mean \"parent\"? (the columns"
                + " are number, id, parent, note, Id_Text)");
    assertThatThrownBy(() -> job.finish(args("parquet", "--column", "number")))
        .hasMessage("--column \"number\": expected the type string or binary, found bigint");
    assertThatThrownBy(
            () ->
                job.finish(
                    args(
                        "parquet",
                        "--column",
                        "id",
                        "--suffix",
                        "_ulid",
                        "--partition-by",
                        "day",
                        "--partition-column",
                        "note")))
        .hasMessage("there already is a column \"note\": choose another --partition-column");
    assertThatThrownBy(() -> job.finish(args("parquet", "--column", "id", "--suffix", "_TEXT")))
        .hasMessage("there already is a column \"id_TEXT\": choose another --suffix");
  }

  @Test
  void columnsThatDifferOnlyInLetterCaseAreRefused() throws IOException {
    csv("id,note,Note\n" + ID + ",a,b\n");

    assertThatThrownBy(() -> job.finish(csvArgs()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the columns \"note\" and \"Note\" of the input differ only in");
    assertThat(output.resolve("_mintmark/plan.json")).doesNotExist();
  }

  private Summary parquet(String... more) throws IOException, InterruptedException {
    return job.finish(
        Stream.concat(Stream.of(args("parquet", "--column", "id,parent")), Stream.of(more))
            .toArray(String[]::new));
  }

  private String[] csvArgs(String... more) {
    return Stream.concat(Stream.of(args("csv", "--column", "id")), Stream.of(more))
        .toArray(String[]::new);
  }

  private String[] args(String format, String... more) {
    return Stream.concat(
            Stream.of("--format", format, "--input", input + "", "--output", output + ""),
            Stream.of(more))
        .toArray(String[]::new);
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Does something while new sessions have these settings. */
  private static void inACluster(Map<String, String> settings, ThrowingCallable action)
      throws Throwable {
    SparkConf cluster = LocalSpark.newSession().sharedState().conf();
    settings.forEach(cluster::set);
    try {
      action.call();
    } finally {
      settings.keySet().forEach(cluster::remove);
    }
  }

  /** Returns a destination of progress that does something after each part that is reported. */
  private static PrintWriter afterEachPart(Step step) {
    return new PrintWriter(Writer.nullWriter()) {
      @Override
      public void flush() {
        try {
          step.run();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  /** Removes a file of the first part, if it has more than one. */
  private static void removeOneOfTwo(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      List<Path> first =
          files.filter(file -> file.getFileName().toString().startsWith("part-00001-")).toList();
      if (first.size() > 1) {
        Files.delete(first.get(0));
      }
    }
  }

  /** Writes a file of the input as other programs than Spark do. */
  private void writeParquet(String file, MessageType columns, Group... rows) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(input.resolve(file).toString());
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(path).withType(columns).build()) {
      for (Group row : rows) {
        writer.write(row);
      }
    }
  }

  private void csv(String content) throws IOException {
    Files.createDirectories(input);
    Files.writeString(input.resolve("a.csv"), content);
  }

  /** Returns the content of the only file of a directory. */
  private static String content(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> data = files.filter(file -> file.toString().endsWith(".csv")).toList();
      assertThat(data).hasSize(1);
      return Files.readString(data.get(0), StandardCharsets.UTF_8);
    }
  }

  private Map<String, Long> rowsByDirectory() throws IOException {
    Map<String, Long> rows = new TreeMap<>();
    for (String name : directories(output)) {
      rows.put(
          name, LocalSpark.newSession().read().parquet(output.resolve(name).toString()).count());
    }
    return rows;
  }

  private static Set<String> directories(Path root) throws IOException {
    try (Stream<Path> children = Files.list(root)) {
      Set<String> names = new TreeSet<>();
      children
          .filter(Files::isDirectory)
          .map(path -> path.getFileName().toString())
          .filter(name -> !name.startsWith("_"))
          .forEach(names::add);
      return names;
    }
  }

  /** Returns the names in a directory that readers do not skip. */
  private static List<String> names(Path root) {
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(root)) {
      return children
          .map(path -> path.getFileName().toString())
          .filter(name -> !DataFiles.isHidden(name))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<Path, FileTime> times() throws IOException {
    Map<Path, FileTime> times = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().contains("lease")) {
          times.put(file, Files.getLastModifiedTime(file));
        }
      }
    }
    return times;
  }
}
