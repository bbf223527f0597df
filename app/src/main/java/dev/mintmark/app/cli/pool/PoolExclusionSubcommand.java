package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.ExclusionRequest;
import dev.mintmark.app.view.ExclusionResultJson;
import dev.mintmark.postgres.pool.Pool;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The base of the commands that change what a pool excludes. */
abstract class PoolExclusionSubcommand extends PoolSubcommand {
  @Mixin PoolCommand.PoolName pool;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "VALUE",
      description = "The values, ranges and CIDR blocks to ${COMMAND-NAME}.")
  List<String> values = List.of();

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  abstract ExclusionRequest.Outcome change(ExclusionRequest request, Pool pool);

  @Override
  final Work work() {
    ExclusionRequest request = ExclusionRequest.of(values);
    return pools -> {
      print(ExclusionResultJson.of(change(request, pools.open(pool.name))), json);
      return ExitStatus.DONE;
    };
  }
}
