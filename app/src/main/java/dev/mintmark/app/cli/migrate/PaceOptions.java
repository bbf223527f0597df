package dev.mintmark.app.cli.migrate;

import dev.mintmark.DurationText;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.operations.migrate.Pace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that limit the load of a run on a database in use. */
final class PaceOptions {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofDays(3650);
  private static final long MEBIBYTE = 1L << 20;
  private static final long WAL_RATE_MAX = Long.MAX_VALUE / MEBIBYTE;

  @Option(
      names = "--full-pace",
      description =
          "Run without throttling, for a database that is otherwise idle: batches of 2s, no limits on"
              + " replica lag, transaction age and write-ahead log.")
  boolean fullPace;

  @Option(
      names = "--lock-timeout",
      paramLabel = "TIME",
      description =
          "How long a statement waits for a lock, which is also how long it blocks other sessions, 1ms"
              + " to 10s. Default: 100ms")
  @Nullable String lockTimeout;

  @Option(
      names = "--lock-patience",
      paramLabel = "TIME",
      description = "How long to retry for a lock before the run ends. Default: 10m")
  @Nullable String lockPatience;

  @Option(
      names = "--batch",
      paramLabel = "TIME",
      description = "How long a batch of rows may take, 1ms to 10s. Default: 50ms")
  @Nullable String batch;

  @Option(
      names = "--replica-lag",
      paramLabel = "TIME",
      description = "Wait while the lag of a standby exceeds this. Default: 10s")
  @Nullable String replicaLag;

  @Option(
      names = "--transaction-age",
      paramLabel = "TIME",
      description = "Wait while a transaction is older than this. Default: 30m")
  @Nullable String transactionAge;

  @Option(
      names = "--wal-rate",
      paramLabel = "MIB",
      description =
          "Wait while the server writes more MiB of write-ahead log per second than this. Default: 64")
  @Nullable Long walRate;

  /**
   * Returns the pace.
   *
   * @throws IllegalArgumentException if a value is malformed or out of its range
   */
  Pace pace() {
    Pace base = fullPace ? Pace.FULL : Pace.GENTLE;
    return new Pace(
        time("--lock-timeout", lockTimeout, base.lockTimeout(), LONGEST_WAIT),
        time("--lock-patience", lockPatience, base.lockPatience(), LONGEST),
        time("--batch", batch, base.batch(), LONGEST_WAIT),
        base.batchRowsMax(),
        time("--replica-lag", replicaLag, base.replicaLagMax(), LONGEST),
        time("--transaction-age", transactionAge, base.transactionAgeMax(), LONGEST),
        walBytesPerSecond(base));
  }

  private static Duration time(
      String option, @Nullable String text, Duration otherwise, Duration longest) {
    if (text == null) {
      return otherwise;
    }
    Duration time = DurationKey.parse(option, text);
    if (time.compareTo(SHORTEST) < 0 || time.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "%s is %s: expected %s to %s"
              .formatted(
                  option, text, DurationText.format(SHORTEST), DurationText.format(longest)));
    }
    return time;
  }

  private long walBytesPerSecond(Pace base) {
    if (walRate == null) {
      return base.walBytesPerSecondMax();
    }
    if (walRate < 1 || walRate > WAL_RATE_MAX) {
      throw new IllegalArgumentException(
          "--wal-rate is %s: expected 1 to %s MiB a second".formatted(walRate, WAL_RATE_MAX));
    }
    return walRate * MEBIBYTE;
  }
}
