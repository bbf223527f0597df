package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.ExclusionRequest;
import dev.mintmark.app.view.ExclusionResultJson;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mintmark pool exclude}. */
@Command(
    name = "exclude",
    description = {
      "Exclude values: they are not granted any more.",
      "A value that is held stays held until it is released, and is not granted again.",
      "Values that are held are printed with their claims; pool list --excluded lists them later."
    })
final class PoolExcludeCommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "VALUE",
      description = "The values, ranges and CIDR blocks to exclude.")
  List<String> values = List.of();

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  Work work() {
    ExclusionRequest request = ExclusionRequest.of(values);
    return pools -> {
      print(ExclusionResultJson.of(request.exclude(pools.open(pool.name))), json);
      return ExitStatus.DONE;
    };
  }
}
