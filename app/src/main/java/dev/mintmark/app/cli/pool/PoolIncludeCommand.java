package dev.mintmark.app.cli.pool;

import dev.mintmark.app.service.ExclusionRequest;
import dev.mintmark.postgres.pool.Pool;
import picocli.CommandLine.Command;

/** {@code mintmark pool include}. */
@Command(
    name = "include",
    description = {
      "Include values that were excluded: they can be granted again.",
      "A part of an excluded block may be named; the rest of it stays excluded."
    })
final class PoolIncludeCommand extends PoolExclusionSubcommand {
  @Override
  ExclusionRequest.Outcome change(ExclusionRequest request, Pool pool) {
    return request.include(pool);
  }
}
