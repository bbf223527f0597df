package dev.mintmark.app.cli.pool;

import dev.mintmark.DurationText;
import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.QuarantineRequest;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.QuarantineResultJson;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mintmark pool quarantine}. */
@Command(
    name = "quarantine",
    description = {
      "Quarantine values that are not held: they are not granted for a time.",
      "",
      "After the database was restored from a backup, a value that looks free may have been granted",
      "since the backup was made. Before any client claims again, run",
      "",
      "  ${ROOT-COMMAND-NAME} pool quarantine POOL --all --for 8d",
      "",
      "with a time that is longer than any claim is held. A client that still holds a value can then",
      "claim it by name once it is free, and no other client is granted it before.",
      "",
      "Exit status 1 if a named value is held; the others are quarantined."
    })
final class PoolQuarantineCommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Parameters(index = "1..*", paramLabel = "VALUE", description = "The values to quarantine.")
  List<String> values = List.of();

  @Option(
      names = "--all",
      description =
          "Quarantine all values that are not held. On a terminal the command asks for the name of"
              + " the pool.")
  boolean all;

  @Mixin Confirmation confirmation;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "The length of the quarantine, for example 1d.")
  @Nullable String length;

  @Option(
      names = "--json",
      description = "Print the quarantined and the held values as JSON; with --all, the pool.")
  boolean json;

  @Override
  Work work() {
    QuarantineRequest request = QuarantineRequest.of(values, all, Optional.ofNullable(length));
    return pools -> {
      if (request.isOfAll() && !isConfirmed(request)) {
        return ExitStatus.NO;
      }
      QuarantineRequest.Outcome outcome = request.of(pools.open(pool.name));
      if (request.isOfAll()) {
        return print(pools.open(pool.name), json);
      }
      show(outcome);
      outcome
          .held()
          .forEach(
              value ->
                  err().println("mintmark: pool \"%s\": %s is held".formatted(pool.name, value)));
      return outcome.held().isEmpty() ? ExitStatus.DONE : ExitStatus.NO;
    };
  }

  private void show(QuarantineRequest.Outcome outcome) {
    if (json) {
      Json.print(out(), QuarantineResultJson.of(outcome));
    } else if (!outcome.quarantined().isEmpty()) {
      PoolTables.quarantined(outcome.quarantined())
          .print(
              spec,
              outcome.quarantined().entrySet().stream()
                  .map(entry -> entry.getKey() + " quarantined until " + entry.getValue()));
    }
  }

  private boolean isConfirmed(QuarantineRequest request) {
    return confirmation.allows(
        "this quarantines all values of the pool that are not held, for "
            + DurationText.format(request.length()),
        "the name of the pool",
        List.of(pool.name));
  }
}
