package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.PoolName;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.numbers.RefillResult;
import dev.mintmark.postgres.pool.numbers.SequenceFeed;
import dev.mintmark.postgres.pool.numbers.SequenceFeedRunner;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mintmark pool feed}. */
@Command(
    name = "feed",
    description = {
      "Set a sequence to runs of numbers that are claimed from a pool.",
      "The pool has blocks such as \"1..1000000000000 by 1000000\". Sequences of several databases"
          + " that are fed from one pool never return the same number. Exit status 1 if no run is"
          + " left, or an open transaction delays the move."
    })
final class PoolFeedCommand extends PoolSubcommand {
  @Mixin PoolName pool;

  @Parameters(
      index = "1",
      paramLabel = "SEQUENCE",
      description = "The sequence with its schema, for example public.orders_id_seq.")
  String sequence;

  @Option(
      names = "--sequence-url",
      paramLabel = "URL",
      description = "The database of the sequence. Default: that of the pool")
  @Nullable String sequenceUrl;

  @Option(
      names = "--ahead",
      paramLabel = "N",
      description = "Move to a new run if fewer numbers are left. Default: a fifth of a run")
  @Nullable Long ahead;

  @Option(
      names = "--fresh",
      description =
          "Move to a new run now: for a copy of a database, which shares the run of the original.")
  boolean fresh;

  @Option(
      names = "--trust-failover",
      description =
          "Keep the present run after a failover: replication of the sequence's database is"
              + " synchronous, and no commit is lost. Default: move to a new run")
  boolean trustsFailover;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description =
          "Keep running and check at about this interval, for example 10s. Default: check once")
  @Nullable String every;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  /** The JSON output. */
  private record Fed(
      String sequence,
      String outcome,
      @Nullable String run,
      @Nullable Long skipped,
      long remaining) {}

  @Override
  Work work() {
    Optional<DatabaseAddress> elsewhere =
        Optional.ofNullable(sequenceUrl)
            .map(url -> DatabaseAddress.parse(url).orLoginOf(System.getenv()));
    Optional<Duration> interval =
        Optional.ofNullable(every).map(text -> DurationKey.parse("--every", text));
    if (fresh && interval.isPresent()) {
      throw new IllegalArgumentException("--fresh and --every cannot be combined");
    }
    return pools -> {
      Pool fedFrom = pools.open(pool.name);
      DatabaseAddress address = elsewhere.orElseGet(() -> address(fedFrom));
      try (Database database = Database.connectToFeed(address)) {
        SequenceFeed feed = SequenceFeed.of(fedFrom, database.connection(), sequence);
        if (ahead != null) {
          feed = feed.withAhead(ahead);
        }
        if (trustsFailover) {
          feed = feed.trustingFailover();
        }
        return interval.isPresent() ? keep(feed, interval.get()) : feedOnce(feed, database);
      }
    };
  }

  private int feedOnce(SequenceFeed feed, Database database) {
    try {
      RefillResult result = fresh ? feed.refillFresh() : feed.refill();
      print(result);
      return result instanceof RefillResult.Exhausted
              || result instanceof RefillResult.WaitingForLock
          ? ExitStatus.NO
          : ExitStatus.DONE;
    } catch (SQLException e) {
      throw database.failure(e);
    } catch (IllegalStateException e) {
      return refuse(String.valueOf(e.getMessage()));
    }
  }

  /** Runs until the process ends. */
  private int keep(SequenceFeed feed, Duration interval) {
    CountDownLatch never = new CountDownLatch(1);
    SequenceFeedRunner.Listener listener =
        new SequenceFeedRunner.Listener() {
          @Override
          public void refilled(RefillResult result) {
            if (!(result instanceof RefillResult.Sufficient)) {
              print(result);
            }
          }

          @Override
          public void failed(Exception reason) {
            err().println("mintmark: " + reason.getMessage());
            err().flush();
          }
        };
    SequenceFeedRunner runner = SequenceFeedRunner.start(feed, interval, listener);
    notices().println("feeding " + feed.sequence() + "; stop with Ctrl-C");
    notices().flush();
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      runner.close();
    }
    return ExitStatus.DONE;
  }

  private void print(RefillResult result) {
    if (json) {
      Json.print(out(), json(result));
    } else {
      out().println(text(result) + ", " + result.remaining() + " numbers left");
      out().flush();
    }
  }

  private static Fed json(RefillResult result) {
    String sequence = result.sequence();
    long remaining = result.remaining();
    if (result instanceof RefillResult.Moved moved) {
      return new Fed(sequence, "moved", moved.run().toString(), moved.skipped(), remaining);
    }
    if (result instanceof RefillResult.WaitingForLock waiting) {
      return new Fed(sequence, "waiting", waiting.run().toString(), null, remaining);
    }
    String outcome = result instanceof RefillResult.Exhausted ? "exhausted" : "sufficient";
    return new Fed(sequence, outcome, null, null, remaining);
  }

  private static String text(RefillResult result) {
    if (result instanceof RefillResult.Moved moved) {
      return "%s moved to %s, skipped %s".formatted(moved.sequence(), moved.run(), moved.skipped());
    }
    if (result instanceof RefillResult.WaitingForLock waiting) {
      return "%s waits for open transactions before it moves to %s"
          .formatted(waiting.sequence(), waiting.run());
    }
    return result instanceof RefillResult.Exhausted exhausted
        ? "%s: pool %s has no run left".formatted(exhausted.sequence(), exhausted.pool())
        : result.sequence() + " has enough";
  }
}
