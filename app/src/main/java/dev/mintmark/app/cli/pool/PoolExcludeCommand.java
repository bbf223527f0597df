package dev.mintmark.app.cli.pool;

import dev.mintmark.app.service.ExclusionRequest;
import dev.mintmark.postgres.pool.Pool;
import picocli.CommandLine.Command;

/** {@code mintmark pool exclude}. */
@Command(
    name = "exclude",
    description = {
      "Exclude values: they are not granted any more.",
      "A value that is held stays held until it is released, and is not granted again.",
      "Values that are held are printed with their claims; pool list --excluded lists them later."
    })
final class PoolExcludeCommand extends PoolExclusionSubcommand {
  @Override
  ExclusionRequest.Outcome change(ExclusionRequest request, Pool pool) {
    return request.exclude(pool);
  }
}
