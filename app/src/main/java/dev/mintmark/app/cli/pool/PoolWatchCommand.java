package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.service.PoolEvent;
import dev.mintmark.app.service.PoolWatch;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PoolEventJson;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import dev.mintmark.postgres.pool.PoolSweeper;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool watch}. */
@Command(
    name = "watch",
    description = {
      "Print a line when the counts of a pool change, until Ctrl-C.",
      "Another line says that the share of used values has passed a threshold. The pool is read at"
          + " most once a second, and less often if counting takes long. Exit status 1 if the pool is"
          + " deleted."
    })
final class PoolWatchCommand extends PoolSubcommand {
  /** As in a server: leases and quarantines end on time also where none runs. */
  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);

  @Mixin PoolName pool;

  @Option(names = "--json", description = "Print each event as a line of JSON: type and data.")
  boolean json;

  @Override
  Work work() {
    return this::watch;
  }

  private int watch(Pools pools) {
    PoolWatch watch = PoolWatch.of(pools, pools.open(pool.name));
    notices().println("watching pool " + pool.name + "; stop with Ctrl-C");
    notices().flush();
    PoolSweeper sweeper = PoolSweeper.start(pools, SWEEP_INTERVAL, new SilentSweeps());
    try {
      while (true) {
        for (PoolEvent event : watch.read()) {
          print(event);
          if (event instanceof PoolEvent.Deleted) {
            return ExitStatus.NO;
          }
        }
        if (out().checkError()) {
          return ExitStatus.DONE; // Nobody reads any more.
        }
        Thread.sleep(watch.pause().toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitStatus.DONE;
    } finally {
      sweeper.close();
    }
  }

  private void print(PoolEvent event) {
    if (json) {
      out().println(Json.MAPPER.writeValueAsString(PoolEventJson.of(event)));
    } else {
      out().println(text(event));
    }
    out().flush();
  }

  private static String text(PoolEvent event) {
    if (event instanceof PoolEvent.Standing standing) {
      BlockStats total = standing.stats().total();
      return "%s  held=%s quarantined=%s free=%s (%s%% used)"
          .formatted(
              standing.at(), total.held(), total.quarantined(), total.free(), total.usedPercent());
    }
    if (event instanceof PoolEvent.Threshold threshold) {
      return "%s  %s%% used: %s the threshold %s%%"
          .formatted(
              threshold.at(),
              threshold.usedPercent(),
              threshold.isAbove() ? "above" : "below",
              threshold.percent());
    }
    return event instanceof PoolEvent.Unavailable unavailable
        ? unavailable.since() + "  the database does not respond; trying again"
        : ((PoolEvent.Deleted) event).at() + "  the pool was deleted";
  }

  /** Failures are reported by the reading of the pool. */
  private static final class SilentSweeps implements PoolSweeper.Listener {
    @Override
    public void swept(long freed) {}

    @Override
    public void failed(PoolSweeper.Failures failures) {}

    @Override
    public void recovered(PoolSweeper.Failures failures) {}
  }
}
