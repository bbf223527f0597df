package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.ExclusionRequest;
import dev.mintmark.app.view.ExclusionResultJson;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mintmark pool include}. */
@Command(
    name = "include",
    description = {
      "Include values that were excluded: they can be granted again.",
      "A part of an excluded block may be named; the rest of it stays excluded."
    })
final class PoolIncludeCommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "VALUE",
      description = "The values, ranges and CIDR blocks to include.")
  List<String> values = List.of();

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Override
  Work work() {
    ExclusionRequest request = ExclusionRequest.of(values);
    return pools -> {
      print(ExclusionResultJson.of(request.include(pools.open(pool.name))), json);
      return ExitStatus.DONE;
    };
  }
}
