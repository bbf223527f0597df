package dev.mintmark.app.cli.pool;

import dev.mintmark.DurationText;
import dev.mintmark.app.cli.common.Amounts;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.PoolMove;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool move}. */
@Command(
    name = "move",
    description = {
      "Move a pool to another database while clients use it, with its claims, its history and its"
          + " settings.",
      "Until its rows are copied, claims fail and are to be repeated. If the command is interrupted,"
          + " run it again. Exit status 1 if the pool cannot be moved: nothing is changed then."
    })
final class PoolMoveCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Option(
      names = "--to",
      paramLabel = "NAME",
      required = true,
      description = "The database that it goes to.")
  String to;

  @Option(names = "--json", description = "Print what was moved as JSON.")
  boolean json;

  private @Nullable Progress progress;

  /** The JSON output. */
  private record Moved(
      String pool,
      String from,
      String to,
      boolean moved,
      long values,
      long past,
      long stillMillis) {}

  @Override
  Work work() {
    if (!areSeveral()) {
      throw new IllegalArgumentException("pool move requires another database: " + NAME_ANOTHER);
    }
    return this::move;
  }

  private int move(Pools pools) {
    PoolMove.Result result;
    try {
      result = PoolMove.move(pools, pool.name, to, this::copied);
    } catch (IllegalStateException e) {
      return refuse(String.valueOf(e.getMessage()));
    } finally {
      closeProgress();
    }
    if (json) {
      Json.print(
          out(),
          new Moved(
              pool.name,
              result.from(),
              result.to(),
              result.moved(),
              result.values(),
              result.past(),
              result.still().toMillis()));
    } else {
      out().println(text(result));
    }
    return ExitStatus.DONE;
  }

  private String text(PoolMove.Result result) {
    return result.moved()
        ? "pool %s moved from %s to %s: %s and %s of the history; nothing was granted for %s"
            .formatted(
                pool.name,
                result.from(),
                result.to(),
                Amounts.counted(result.values(), "value"),
                Amounts.counted(result.past(), "claim"),
                DurationText.format(Duration.ofMillis(result.still().toMillis())))
        : "pool %s is in %s already".formatted(pool.name, result.to());
  }

  private void copied(long rows, long expected) {
    Progress shown = progress;
    if (shown == null) {
      shown = Progress.afterTwoSeconds(spec, "move", "rows", expected);
      progress = shown;
    }
    shown.moveTo(rows);
  }

  private void closeProgress() {
    Progress shown = progress;
    if (shown != null) {
      shown.close();
    }
  }
}
