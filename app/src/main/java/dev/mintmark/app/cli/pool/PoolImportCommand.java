package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.transfer.ImportFormat;
import dev.mintmark.app.transfer.ImportReport;
import dev.mintmark.app.transfer.ImportReport.Rejection;
import dev.mintmark.app.transfer.PoolImport;
import dev.mintmark.app.view.ImportReportJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mintmark pool import}. */
@Command(
    name = "import",
    description = {
      "Claim the values that a file says are in use: CSV, IP addresses that NetBox has exported, or"
          + " the lease file of Kea.",
      "Without --yes, print what would be claimed and which lines are rejected, and change nothing."
          + " Exit status 1 if a line is rejected."
    })
final class PoolImportCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "The file. It is read several times, so it cannot be a pipe.")
  Path file;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "csv, netbox or kea. Default: recognized by the heading")
  @Nullable String format;

  @Option(names = "--yes", description = "Claim the values, unless a line is rejected.")
  boolean yes;

  @Option(names = "--skip-bad", description = "Claim the values although other lines are rejected.")
  boolean skipBad;

  @Option(names = "--json", description = "Print the report as JSON.")
  boolean json;

  /** The numbers of the rejected lines that were shown. */
  private final BitSet shown = new BitSet();

  @Override
  Work work() {
    Optional<ImportFormat> named = Optional.ofNullable(format).map(ImportFormat::parse);
    if (!Files.isRegularFile(file)) {
      throw new FileException(
          "file " + file, "not a regular file, which can be read several times");
    }
    return pools -> {
      try {
        return run(pools.open(pool.name), named);
      } catch (IOException e) {
        throw new FileException("file " + file, e);
      }
    };
  }

  private int run(Pool pool, Optional<ImportFormat> named) throws IOException {
    PoolImport imported =
        new PoolImport(pool, () -> Files.newBufferedReader(file), named, InstantSource.system());
    ImportReport plan = imported.plan(this::show);
    boolean isAllowed = plan.rejected() == 0 || skipBad;
    if (!yes || !isAllowed) {
      print(plan);
      if (!json) {
        err()
            .println(
                isAllowed
                    ? "mintmark: nothing was changed: --yes claims the values"
                    : "mintmark: nothing was changed: correct the lines, or claim the others with"
                        + " --skip-bad --yes");
      }
      return plan.rejected() == 0 ? ExitStatus.DONE : ExitStatus.NO;
    }
    ImportReport done = imported.claim(this::show);
    print(done);
    return done.rejected() == 0 ? ExitStatus.DONE : ExitStatus.NO;
  }

  /** Shows a rejected line once: those of the plan are rejected again when values are claimed. */
  private void show(Rejection rejection) {
    if (shown.get(rejection.line())) {
      return;
    }
    shown.set(rejection.line());
    String value = rejection.value().isEmpty() ? "" : rejection.value() + ": ";
    err().println("line %s: %s%s".formatted(rejection.line(), value, rejection.reason()));
  }

  private void print(ImportReport report) {
    if (json) {
      Json.print(out(), ImportReportJson.of(report));
      return;
    }
    out()
        .println(
            "%s: %s lines: %s %s, %s held already, %s skipped, %s rejected"
                .formatted(
                    report.format().label(),
                    report.lines(),
                    report.claimed(),
                    report.isDone() ? "claimed" : "would be claimed",
                    report.held(),
                    report.skipped(),
                    report.rejected()));
  }
}
