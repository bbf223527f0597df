package dev.mintmark.app.cli.pack;

import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.Amounts;
import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.cli.common.Table;
import dev.mintmark.app.cli.common.Table.Column;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark pack bench}: measures mints on a database of the user. */
@Command(
    name = "bench",
    description = {
      "Measure on your database what keys cost: sequences, UUIDv4, the mints of the pack and functions"
          + " of your own.",
      "Writes into a schema of its own, whose name is printed, and drops it at the end. Prints first",
      "how much it writes at most, and asks on a terminal. The role needs CREATE on the database."
    },
    mixinStandardHelpOptions = true)
public final class PackBenchCommand implements Callable<Integer> {
  private static final long ROWS_MAX = 10_000_000;

  private static final int ROUNDS_MAX = 100;

  /** One for the statements, and one that drops the schema. */
  private static final int CONNECTIONS = 2;

  private static final double MEGABYTE = 1e6;

  private static final Column[] COLUMNS = {
    Column.text("key"),
    Column.identifier("type"),
    Column.number("generated/s"),
    Column.number("inserted/s"),
    Column.number("table MB"),
    Column.number("index MB"),
    Column.number("WAL MB"),
    Column.number("join ms"),
    Column.number("hash MB"),
    Column.number("batches"),
    Column.number("spill MB")
  };

  /** A line in a pipe. */
  private static final String LINE = "%-28s %-7s %11s %11s %9s %9s %9s %9s %9s %8s %9s";

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Mixin Confirmation confirmation;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100000",
      description = "The rows of each table, 1000 to 10000000. Default: ${DEFAULT-VALUE}")
  long rows;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "How often everything is measured, 1 to 100; the least figure counts. Default:"
              + " ${DEFAULT-VALUE}")
  int rounds;

  @Option(
      names = "--function",
      paramLabel = "FUNCTION",
      description =
          "A function of yours without parameters, [SCHEMA.]NAME, as SQL writes it. Repeatable.")
  List<String> functions = new ArrayList<>();

  @Option(
      names = "--sql",
      paramLabel = "DIR",
      description = "Write the statements as files for psql into a directory, and measure nothing.")
  @Nullable Path directory;

  @Option(names = "--json", description = "Print the figures as JSON.")
  boolean json;

  /** The JSON output. */
  private record Report(
      String schema, long rows, int rounds, Map<String, String> server, List<MintReport> mints) {}

  private record MintReport(
      String mint,
      String type,
      boolean pack,
      long generatedPerS,
      long insertedPerS,
      long tableBytes,
      long indexBytes,
      long walBytes,
      double joinMs,
      long hashBytes,
      long hashBatches,
      long spilledBytes) {}

  @Override
  public Integer call() {
    if (rows < 1000 || rows > ROWS_MAX) {
      throw new IllegalArgumentException(
          "--rows is %s: expected 1000 to %s".formatted(rows, ROWS_MAX));
    }
    if (rounds < 1 || rounds > ROUNDS_MAX) {
      throw new IllegalArgumentException(
          "--rounds is %s: expected 1 to %s".formatted(rounds, ROUNDS_MAX));
    }
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(databaseOptions::openAsItIs);
      try {
        return run(database.connectionPool("mintmark-bench", CONNECTIONS), atExit);
      } catch (SQLException e) {
        throw database.failure(e);
      }
    } finally {
      out().flush();
    }
  }

  private int run(DataSource connections, CloseAtExit atExit) throws SQLException {
    List<BenchMint> own = new ArrayList<>();
    for (String function : functions) {
      own.add(
          PackBench.function(connections, function)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "--function is %s: there is no such function without parameters that returns one value"
                              .formatted(Quoted.of(function)))));
    }
    List<BenchMint> mints = BenchMint.with(own);
    if (directory != null) {
      write(directory, mints);
      return ExitStatus.DONE;
    }
    Map<String, String> server = PackBench.server(connections);
    warnOfLeftovers(connections);
    PackBench bench = new PackBench(connections, rows, rounds, mints);
    String consequence =
        "schema %s will have at most %s, and %s of write-ahead log are written at most"
            .formatted(
                bench.schema(),
                Amounts.bytes(PackBench.diskBytesMax(rows)),
                Amounts.bytes(PackBench.walBytesMax(rows, rounds, mints.size())));
    if (confirmation.isGiven() || !confirmation.canAsk()) {
      PrintWriter notices = Verbosity.notices(spec);
      notices.println("mintmark: " + consequence);
      notices.flush();
    }
    if (!confirmation.allows(
        consequence, "the name of the database", List.of(server.getOrDefault("database", "")))) {
      return ExitStatus.NO;
    }
    print(bench.schema(), server, measured(bench, atExit));
    return ExitStatus.DONE;
  }

  private List<BenchResult> measured(PackBench bench, CloseAtExit atExit) throws SQLException {
    atExit.add(bench);
    try (Progress progress = Progress.of(spec, "pack bench", "rows", bench.steps())) {
      progress.moveTo(0);
      List<BenchResult> results = bench.run(progress::moveTo);
      atExit.closeLast();
      return results;
    }
  }

  private void warnOfLeftovers(DataSource connections) throws SQLException {
    for (String schema : PackBench.leftovers(connections)) {
      err()
          .println(
              "mintmark: warning: schema %1$s is of another run: if that was killed, drop it: drop schema %1$s cascade"
                  .formatted(schema));
    }
  }

  private void write(Path to, List<BenchMint> mints) {
    try {
      for (Path file : new BenchFiles(rows, mints).write(to)) {
        out().println(file);
      }
    } catch (IOException e) {
      throw new FileException(to.toString(), e);
    }
  }

  private void print(String schema, Map<String, String> server, List<BenchResult> results) {
    if (json) {
      Json.print(
          out(),
          new Report(schema, rows, rounds, server, results.stream().map(this::report).toList()));
      return;
    }
    out()
        .println(
            "PostgreSQL %s, %s, the least of %s; work_mem = %s"
                .formatted(
                    server.get("version"),
                    Amounts.counted(rows, "row"),
                    Amounts.counted(rounds, "round"),
                    server.get("work_mem")));
    List<Object[]> rows = results.stream().map(result -> row(report(result))).toList();
    Table table = Table.of(COLUMNS);
    rows.forEach(table::add);
    Object[] headings = Arrays.stream(COLUMNS).map(Column::heading).toArray();
    table.print(spec, Stream.concat(Stream.of(headings), rows.stream()).map(LINE::formatted));
  }

  private static Object[] row(MintReport report) {
    return new Object[] {
      report.mint(),
      report.type(),
      Amounts.number(report.generatedPerS()),
      Amounts.number(report.insertedPerS()),
      megabytes(report.tableBytes()),
      megabytes(report.indexBytes()),
      megabytes(report.walBytes()),
      figure(report.joinMs()),
      megabytes(report.hashBytes()),
      Long.toString(report.hashBatches()),
      megabytes(report.spilledBytes())
    };
  }

  private static String megabytes(long bytes) {
    return figure(bytes / MEGABYTE);
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private MintReport report(BenchResult result) {
    return new MintReport(
        result.mint().name(),
        result.mint().type(),
        result.mint().isPack(),
        perSecond(result.generateMillis()),
        perSecond(result.insertMillis()),
        result.tableBytes(),
        result.indexBytes(),
        result.walBytes(),
        result.joinMillis(),
        result.hashBytes(),
        result.hashBatches(),
        result.spilledBytes());
  }

  private long perSecond(double millis) {
    return Math.round(rows * 1000 / Math.max(millis, 1e-3));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
