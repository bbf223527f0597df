package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.transfer.ClaimExport;
import dev.mintmark.app.view.ClaimJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.Pool;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool export}. */
@Command(
    name = "export",
    description = {
      "Print all claims of a pool with their labels, as CSV or JSON.",
      "The command pool import reads the CSV."
    })
final class PoolExportCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "csv",
      description = "csv or json: one object on each line. Default: ${DEFAULT-VALUE}")
  String format;

  @Override
  Work work() {
    if (!List.of("csv", "json").contains(format)) {
      throw new IllegalArgumentException("--format is \"" + format + "\": expected csv or json");
    }
    return pools -> {
      try {
        write(pools.open(pool.name));
      } catch (IOException e) {
        throw new FileException("stdout", e);
      }
      return ExitStatus.DONE;
    };
  }

  private void write(Pool opened) throws IOException {
    if (format.equals("csv")) {
      ClaimExport.writeCsv(opened, out());
    } else {
      ClaimExport.read(
          opened,
          (claim, note) ->
              out().println(Json.MAPPER.writeValueAsString(ClaimJson.of(claim, note))));
    }
  }
}
