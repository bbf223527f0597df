package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.QuarantineRequest;
import dev.mintmark.app.view.PoolJson;
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
      "Let values rest that nobody holds: they are handed out to nobody for a time.",
      "",
      "After the database was restored from a backup, what looks free may have been given to",
      "somebody since the backup was made. Before anything claims again:",
      "",
      "  mintmark pool quarantine POOL --all --for 8d",
      "",
      "for longer than any claim is held. Whoever still holds a value may then claim it by name",
      "once it is free, and none of those values reaches anybody else before.",
      "",
      "Exit status 1 where a value that is named is held; the others rest then."
    })
final class PoolQuarantineCommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Parameters(index = "1..*", paramLabel = "VALUE", description = "What is to rest.")
  List<String> values = List.of();

  @Option(names = "--all", description = "All values that nobody holds.")
  boolean all;

  @Option(names = "--for", paramLabel = "TIME", description = "For how long, as in 1d.")
  @Nullable String length;

  @Override
  Work work() {
    QuarantineRequest request = QuarantineRequest.of(values, all, Optional.ofNullable(length));
    return pools -> {
      QuarantineRequest.Outcome outcome = request.of(pools.open(pool.name));
      if (request.isOfAll()) {
        out().println(PoolTexts.describe(PoolJson.of(pools.open(pool.name))));
      }
      outcome.resting().forEach((value, until) -> out().println(value + " rests until " + until));
      outcome
          .held()
          .forEach(
              value ->
                  err().println("mintmark: pool \"%s\": %s is held".formatted(pool.name, value)));
      return outcome.held().isEmpty() ? ExitStatus.DONE : ExitStatus.NO;
    };
  }
}
