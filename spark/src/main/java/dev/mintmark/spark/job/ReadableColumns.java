package dev.mintmark.spark.job;

import dev.mintmark.Quoted;
import dev.mintmark.spark.MintmarkExtensions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The job for {@code spark-submit} that adds a readable column after each chosen uuid column of
 * Parquet, CSV or a PostgreSQL table.
 *
 * <pre>
 *   spark-submit --class dev.mintmark.spark.job.ReadableColumns mintmark-spark-0.2.0-SNAPSHOT.jar \
 *     --format parquet --input orders --column id --output orders-readable
 * </pre>
 *
 * <p>The exit status is 0 if the output is complete, 1 if it is complete and rows were rejected, 2
 * if the arguments are wrong, and 3 if the job failed. After 3, the same command, without {@code
 * --restart}, continues with the parts that are not complete.
 */
@Command(
    name = "ReadableColumns",
    description = {
      "Add a readable column after each chosen uuid column of Parquet, CSV or a PostgreSQL table.",
      "Each row is written once: to the output, or to the rejects if a chosen column is neither"
          + " null nor a UUID. To continue a run that was killed, run the same command again,"
          + " without --restart."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 done, 1 done with rejected rows, 2 wrong usage, 3 failed: run the same"
          + " command again, without --restart."
    })
public final class ReadableColumns implements Callable<Integer> {
  private static final int DONE = 0;
  private static final int REJECTED = 1;
  private static final int USAGE = 2;
  private static final int FAILED = 3;

  /** The maximum number of parts: names of files have five digits for the part. */
  private static final int PARTS_MAX = 99_999;

  private static final String PASSWORD = "spark.mintmark.jdbc.password";
  private static final String EXTENSIONS = "spark.sql.extensions";

  /** The input formats of the command line. */
  private enum InputFormat {
    PARQUET,
    CSV,
    JDBC
  }

  @Spec CommandSpec spec;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      required = true,
      description = "Format of the input: parquet, csv or jdbc.")
  InputFormat format;

  @Option(
      names = "--input",
      paramLabel = "PATH",
      description = "Input of parquet and csv: a file, or a directory with its subdirectories.")
  @Nullable String input;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = {
        "Database of jdbc: jdbc:postgresql://HOST/DATABASE.",
        "The user is in the URL or in PGUSER. The password is in PGPASSWORD, in the Spark setting "
            + PASSWORD
            + ", or in a .pgpass file on every machine."
      })
  @Nullable String url;

  @Option(names = "--table", paramLabel = "NAME", description = "Table of jdbc, as in SQL.")
  @Nullable String table;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      required = true,
      split = ",",
      description = "Columns that become readable, of text or 16 bytes. Repeatable.")
  List<String> columns = new ArrayList<>();

  @Option(
      names = "--suffix",
      paramLabel = "TEXT",
      defaultValue = "_text",
      description = "Suffix that names the new column after its source. Default: ${DEFAULT-VALUE}.")
  String suffix;

  @Option(
      names = "--output",
      paramLabel = "PATH",
      required = true,
      description = "Output directory. Before the first run it must be empty or must not exist.")
  String output;

  @Option(
      names = "--output-format",
      paramLabel = "FORMAT",
      description =
          "Format of the output: parquet or csv. Default: that of the input; parquet for jdbc.")
  @Nullable Format outputFormat;

  @Option(
      names = "--rejects",
      paramLabel = "PATH",
      description =
          "Directory of the rejected rows. Default: the output directory with the suffix -rejects.")
  @Nullable String rejects;

  @Option(
      names = "--partition-by",
      paramLabel = "SPAN",
      defaultValue = "none",
      description =
          "Partition the output by the time, in UTC, at which the first chosen column was minted:"
              + " none, day or month. Default: ${DEFAULT-VALUE}.")
  PartitionBy partitionBy;

  @Option(
      names = "--partition-column",
      paramLabel = "NAME",
      defaultValue = "created",
      description =
          "Column in the names of the partition directories, as in created=2026-11. Default:"
              + " ${DEFAULT-VALUE}.")
  String partitionColumn;

  @Option(
      names = "--parts",
      paramLabel = "N",
      description =
          "Number of parts into which the first run divides the work. Default: one for each GiB of"
              + " files or 2,000,000 rows of a table, at most "
              + Source.PARTS_MAX
              + ".")
  @Nullable Integer parts;

  @Option(
      names = "--restart",
      description = "Remove everything that earlier runs wrote to this output, and start over.")
  boolean restart;

  @Option(
      names = "--split-column",
      paramLabel = "NAME",
      description =
          "Column of jdbc by whose ranges the table is read, a uuid or a whole number. Default: the"
              + " primary key, or the first chosen column.")
  @Nullable String splitColumn;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "8",
      description =
          "Number of ranges of jdbc that are read at the same time. Default: ${DEFAULT-VALUE}.")
  int connections;

  @Option(
      names = "--fetch-rows",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Number of rows of jdbc in a fetch. Default: ${DEFAULT-VALUE}.")
  int fetchRows;

  @Option(
      names = "--no-header",
      description = "The csv files have no header. The names of the columns are _c0, _c1, ...")
  boolean noHeader;

  @Option(
      names = "--delimiter",
      paramLabel = "C",
      defaultValue = ",",
      description = "Delimiter between fields of csv. Default: \"${DEFAULT-VALUE}\".")
  char delimiter;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Text of csv fields that are null. Default: an empty field without quotes.")
  String nullText;

  @Option(
      names = "--one-line-records",
      description = "No field of csv has a line break. Large files are then read in pieces.")
  boolean oneLineRecords;

  @Option(names = "--quiet", description = "Print no progress to stderr.")
  boolean quiet;

  @Option(names = "--json", description = "Print the summary to stdout as JSON.")
  boolean json;

  /** Whether the run has a plan: {@link Run#isPlanned}. */
  private boolean planned;

  private ReadableColumns() {}

  /** Runs the job. Calls {@code System.exit} only if the exit status is not 0. */
  public static void main(String[] args) {
    int status = status(commandLine(), args);
    // Every cluster manager counts a return from main as a success, and some count any exit as a
    // failure.
    if (status != DONE) {
      System.exit(status);
    }
  }

  /** Returns the exit status. After an error, such as one of memory, a JVM itself ends with 1. */
  static int status(CommandLine command, String... args) {
    try {
      return command.execute(args);
    } catch (Throwable e) {
      ReadableColumns job = command.getCommand();
      return explain(e, job.planned, command);
    }
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new ReadableColumns());
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setUsageHelpAutoWidth(true);
    commandLine.setParameterExceptionHandler(ReadableColumns::refuse);
    commandLine.setExecutionExceptionHandler(ReadableColumns::explain);
    return commandLine;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    SparkConf settings = settings(new SparkConf());
    Request request = request(System.getenv(), settings);
    try (SparkSession spark = SparkSession.builder().config(settings).getOrCreate()) {
      PrintWriter err = spec.commandLine().getErr();
      Summary summary = finish(new Run(spark, request, err, quiet, Lease.PATIENCE));
      PrintWriter out = spec.commandLine().getOut();
      out.println(json ? summary.json() : summary.text());
      out.flush();
      return summary.total().rejected() == 0 ? DONE : REJECTED;
    }
  }

  private Summary finish(Run run) throws IOException, InterruptedException {
    try {
      return run.finish();
    } finally {
      planned = run.isPlanned();
    }
  }

  /** Returns the settings of {@code spark-submit} with our extension added to the extensions. */
  static SparkConf settings(SparkConf given) {
    String ours = MintmarkExtensions.class.getName();
    String extensions = given.get(EXTENSIONS, "");
    SparkConf settings = given.setIfMissing("spark.app.name", "mintmark");
    if (List.of(extensions.split(",", -1)).contains(ours)) {
      return settings;
    }
    return settings.set(EXTENSIONS, extensions.isEmpty() ? ours : extensions + "," + ours);
  }

  /** Returns the request in the options, after all checks that do not need the input. */
  Request request(Map<String, String> environment, SparkConf settings) {
    require(!columns.stream().anyMatch(String::isEmpty), "--column: a name is empty");
    require(
        columns.size() == new LinkedHashSet<>(columns).size(), "--column: a column is named twice");
    require(
        !suffix.isEmpty(),
        "--suffix: expected one character or more, because a new column cannot replace its source");
    require(
        !DataFiles.isHidden(partitionColumn) && partitionColumn.matches("[A-Za-z0-9_]+"),
        "--partition-column %s: expected letters, digits and _, not starting with _"
            .formatted(Quoted.of(partitionColumn)));
    require(parts == null || (parts >= 1 && parts <= PARTS_MAX), "--parts: expected 1 to 99,999");
    require(
        delimiter != '"' && delimiter != '\n' && delimiter != '\r',
        "--delimiter: expected no quote and no line break");
    require(
        !oneLineRecords || delimiter > ' ',
        "--one-line-records: expected a delimiter that is not a tab, a blank or another control"
            + " character, because Spark skips lines that have nothing else");
    require(isFieldOfCsv(nullText), "--null: expected no quotes, no line break, no delimiter");
    return new Request(
        input(environment, settings),
        List.copyOf(columns),
        suffix,
        new Path(output),
        outputFormat != null ? outputFormat : outputFormatOfInput(),
        new Path(rejects == null ? output.replaceFirst("/+$", "") + "-rejects" : rejects),
        partitionBy,
        partitionColumn,
        new CsvFormat(!noHeader, delimiter, nullText, oneLineRecords),
        parts == null ? OptionalInt.empty() : OptionalInt.of(parts),
        restart);
  }

  private boolean isFieldOfCsv(String text) {
    return text.chars().noneMatch(c -> c == '"' || c == '\n' || c == '\r' || c == delimiter);
  }

  private Request.Input input(Map<String, String> environment, SparkConf settings) {
    if (format == InputFormat.JDBC) {
      return table(environment, settings);
    }
    require(input != null, "--format parquet and csv need --input PATH");
    require(url == null && table == null, "--url and --table require --format jdbc");
    require(splitColumn == null, "--split-column requires --format jdbc");
    Format files = format == InputFormat.CSV ? Format.CSV : Format.PARQUET;
    return new Request.Files(files, new Path(Objects.requireNonNull(input)));
  }

  private Request.Table table(Map<String, String> environment, SparkConf settings) {
    require(url != null && table != null, "--format jdbc needs --url URL and --table NAME");
    require(input == null, "--input requires --format parquet or csv");
    require(connections >= 1 && connections <= 1000, "--connections: expected 1 to 1,000");
    require(fetchRows >= 1, "--fetch-rows: expected 1 or more");
    String address = Objects.requireNonNull(url);
    require(
        address.startsWith("jdbc:postgresql:"),
        "--url: expected jdbc:postgresql://HOST/DATABASE, because only PostgreSQL is supported");
    Optional<String> user =
        hasParameter(address, "user")
            ? Optional.empty()
            : Optional.of(
                environment.getOrDefault("PGUSER", System.getProperty("user.name", "postgres")));
    Optional<String> password =
        hasParameter(address, "password")
            ? Optional.empty()
            : Optional.ofNullable(settings.get(PASSWORD, environment.get("PGPASSWORD")));
    return new Request.Table(
        address,
        user,
        password,
        Objects.requireNonNull(table),
        Optional.ofNullable(splitColumn),
        connections,
        fetchRows);
  }

  private static boolean hasParameter(String url, String name) {
    return Pattern.compile("[?&]" + name + "=").matcher(url).find();
  }

  private Format outputFormatOfInput() {
    return format == InputFormat.CSV ? Format.CSV : Format.PARQUET;
  }

  private void require(boolean fulfilled, String message) {
    if (!fulfilled) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private static int refuse(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    command.getErr().println(command.getCommandName() + ": " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr());
    command.getErr().println("try: --help");
    command.getErr().flush();
    return USAGE;
  }

  private static int explain(Exception e, CommandLine command, ParseResult result) {
    ReadableColumns job = command.getCommand();
    return explain(e, job.planned, command);
  }

  /**
   * Prints one line for an error that the user can solve, and a stack trace for any other error.
   *
   * @param isPlanned whether the plan was stored before: then the arguments are not wrong
   * @return the exit status
   */
  static int explain(Throwable e, boolean isPlanned, CommandLine command) {
    boolean isUsage =
        !isPlanned && (e instanceof IllegalArgumentException || e instanceof AnalysisException);
    boolean isExplained = isUsage || e instanceof JobException;
    if (!isExplained) {
      e.printStackTrace(command.getErr());
    }
    ReadableColumns job = command.getCommand();
    // Until there is a new plan, the files of the old one remain to be removed.
    String again = isPlanned && job.restart ? "without --restart" : "again";
    String message =
        isExplained
            ? e.getMessage()
            : "failed, run the same command %s to continue: %s"
                .formatted(again, e.toString().lines().findFirst().orElse(""));
    command.getErr().println(command.getCommandName() + ": " + message);
    command.getErr().flush();
    return isUsage ? USAGE : FAILED;
  }
}
