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
 * The job for {@code spark-submit} that puts a readable column beside uuid columns of Parquet, CSV
 * or a table of PostgreSQL.
 *
 * <pre>
 *   spark-submit --class dev.mintmark.spark.job.ReadableColumns mintmark-spark-0.1.0-SNAPSHOT.jar \
 *     --format parquet --input orders --column id --output orders-readable
 * </pre>
 *
 * <p>It ends with 0 when all is done; with 1 when all is done, but rows were rejected; with 2 when
 * the arguments do not fit; with 3 when something failed. After 3 the same command goes on with the
 * parts that are not done.
 */
@Command(
    name = "ReadableColumns",
    description = {
      "Put a readable column beside uuid columns of Parquet, CSV or a table of PostgreSQL.",
      "Each row goes to the output once, or to the rejects if a chosen column is neither null nor a"
          + " UUID. A run that was killed is gone on with by the same command."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Exit status: 0 done, 1 done with rejected rows, 2 wrong usage, 3 failed: run it again."
    })
public final class ReadableColumns implements Callable<Integer> {
  private static final int DONE = 0;
  private static final int REJECTED = 1;
  private static final int USAGE = 2;
  private static final int FAILED = 3;

  /** As many as the names of files have digits for. */
  private static final int PARTS_MAX = 99_999;

  private static final String PASSWORD = "spark.mintmark.jdbc.password";
  private static final String EXTENSIONS = "spark.sql.extensions";

  /** What the command line calls the formats of the input. */
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
      description = "What is read: parquet, csv or jdbc")
  InputFormat format;

  @Option(
      names = "--input",
      paramLabel = "PATH",
      description = "Of parquet and csv: a directory, with those below it, or a file")
  @Nullable String input;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = {
        "Of jdbc: the database, jdbc:postgresql://HOST/DATABASE",
        "The user is that of the URL, or PGUSER; the password that of PGPASSWORD, of the setting "
            + PASSWORD
            + " of Spark, or of a .pgpass on every machine."
      })
  @Nullable String url;

  @Option(names = "--table", paramLabel = "NAME", description = "Of jdbc: the table, as in SQL")
  @Nullable String table;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      required = true,
      split = ",",
      description = "The columns that become readable: text or 16 bytes; repeatable")
  List<String> columns = new ArrayList<>();

  @Option(
      names = "--suffix",
      paramLabel = "TEXT",
      defaultValue = "_text",
      description = "What the name of a new column has behind its source's (${DEFAULT-VALUE})")
  String suffix;

  @Option(
      names = "--output",
      paramLabel = "PATH",
      required = true,
      description = "The directory that is written, which is empty or not there")
  String output;

  @Option(
      names = "--output-format",
      paramLabel = "FORMAT",
      description = "parquet or csv. Default: that of the input; of jdbc parquet")
  @Nullable Format outputFormat;

  @Option(
      names = "--rejects",
      paramLabel = "PATH",
      description = "Where rejected rows are kept. Default: the output's with -rejects behind")
  @Nullable String rejects;

  @Option(
      names = "--partition-by",
      paramLabel = "SPAN",
      defaultValue = "none",
      description = "none, day or month: by when, in UTC, the first chosen column was minted")
  PartitionBy partitionBy;

  @Option(
      names = "--partition-column",
      paramLabel = "NAME",
      defaultValue = "created",
      description = "How the directories are called, ${DEFAULT-VALUE}=2026-11")
  String partitionColumn;

  @Option(
      names = "--parts",
      paramLabel = "N",
      description =
          "Into how many parts the work is divided when it begins. Default: one for each GiB of"
              + " files or 2,000,000 rows of a table, at most "
              + Source.PARTS_MAX)
  @Nullable Integer parts;

  @Option(
      names = "--restart",
      description = "Remove what was written to this output before, and begin anew.")
  boolean restart;

  @Option(
      names = "--split-column",
      paramLabel = "NAME",
      description =
          "Of jdbc: read by ranges of this column, a uuid or a whole number. Default: the primary"
              + " key, or the first chosen column")
  @Nullable String splitColumn;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "8",
      description = "Of jdbc: how many ranges are read at once (${DEFAULT-VALUE})")
  int connections;

  @Option(
      names = "--fetch-rows",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Of jdbc: how many rows come at a time (${DEFAULT-VALUE})")
  int fetchRows;

  @Option(names = "--no-header", description = "Of csv: the columns have no names but _c0, _c1...")
  boolean noHeader;

  @Option(
      names = "--delimiter",
      paramLabel = "C",
      defaultValue = ",",
      description = "Of csv: what is between fields (${DEFAULT-VALUE})")
  char delimiter;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Of csv: the field that is null. Default: one that is empty, without quotes")
  String nullText;

  @Option(
      names = "--one-line-records",
      description = "Of csv: no field has a line break, so that large files are read in pieces.")
  boolean oneLineRecords;

  @Option(names = "--quiet", description = "No progress on stderr.")
  boolean quiet;

  @Option(names = "--json", description = "The summary on stdout as JSON.")
  boolean json;

  private ReadableColumns() {}

  /** Runs the job, and ends the process unless all is well. */
  public static void main(String[] args) {
    int status = commandLine().execute(args);
    // What leaves main has succeeded to every cluster manager; some take an exit for a failure.
    if (status != DONE) {
      System.exit(status);
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
      Summary summary = new Run(spark, request, err, quiet, Lease.PATIENCE).finish();
      PrintWriter out = spec.commandLine().getOut();
      out.println(json ? summary.json() : summary.text());
      out.flush();
      return summary.total().rejected() == 0 ? DONE : REJECTED;
    }
  }

  /** Those of {@code spark-submit}, with our extension among the others. */
  static SparkConf settings(SparkConf given) {
    String ours = MintmarkExtensions.class.getName();
    String extensions = given.get(EXTENSIONS, "");
    SparkConf settings = given.setIfMissing("spark.app.name", "mintmark");
    if (List.of(extensions.split(",", -1)).contains(ours)) {
      return settings;
    }
    return settings.set(EXTENSIONS, extensions.isEmpty() ? ours : extensions + "," + ours);
  }

  /** What the options ask for, checked as far as they can be without a look at the input. */
  Request request(Map<String, String> environment, SparkConf settings) {
    require(!columns.stream().anyMatch(String::isEmpty), "--column: a name is empty");
    require(columns.size() == new LinkedHashSet<>(columns).size(), "--column: one is named twice");
    require(
        !suffix.isEmpty(), "--suffix: it is empty, and no column can take the place of another");
    require(
        !DataFiles.isHidden(partitionColumn) && partitionColumn.matches("[A-Za-z0-9_]+"),
        "--partition-column %s: expected letters, digits and _, not _ first"
            .formatted(Quoted.of(partitionColumn)));
    require(parts == null || (parts >= 1 && parts <= PARTS_MAX), "--parts: expected 1 to 99,999");
    require(delimiter != '"' && delimiter != '\n' && delimiter != '\r', "--delimiter: it is taken");
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
        new CsvOptions(!noHeader, delimiter, nullText, oneLineRecords),
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
    require(url == null && table == null, "--url and --table go with --format jdbc");
    require(splitColumn == null, "--split-column goes with --format jdbc");
    Format files = format == InputFormat.CSV ? Format.CSV : Format.PARQUET;
    return new Request.Files(files, new Path(Objects.requireNonNull(input)));
  }

  private Request.Table table(Map<String, String> environment, SparkConf settings) {
    require(url != null && table != null, "--format jdbc needs --url URL and --table NAME");
    require(input == null, "--input goes with --format parquet and csv");
    require(connections >= 1 && connections <= 1000, "--connections: expected 1 to 1,000");
    require(fetchRows >= 1, "--fetch-rows: expected 1 or more");
    String address = Objects.requireNonNull(url);
    require(
        address.startsWith("jdbc:postgresql:"),
        "--url: expected jdbc:postgresql://HOST/DATABASE, the only database that is read");
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

  /** One line for what a user can do something about; a stack trace for what we must. */
  private static int explain(Exception e, CommandLine command, ParseResult result) {
    boolean isUsage = e instanceof IllegalArgumentException || e instanceof AnalysisException;
    boolean isExplained = isUsage || e instanceof JobException;
    if (!isExplained) {
      e.printStackTrace(command.getErr());
    }
    String message =
        isExplained
            ? e.getMessage()
            : "failed, run it again to go on: " + e.toString().lines().findFirst().orElse("");
    command.getErr().println(command.getCommandName() + ": " + message);
    command.getErr().flush();
    return isUsage ? USAGE : FAILED;
  }
}
