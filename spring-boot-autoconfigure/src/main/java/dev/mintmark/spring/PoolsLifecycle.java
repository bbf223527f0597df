package dev.mintmark.spring;

import dev.mintmark.DurationText;
import dev.mintmark.postgres.pool.PoolSweeper;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Sweeps and supplies the pools of the catalog, and has them listen for what other instances
 * release, while the application runs: from before the first request until after the last, and not
 * longer than the data source is open.
 */
final class PoolsLifecycle implements SmartLifecycle {
  private static final Log LOG = LogFactory.getLog(PoolsLifecycle.class);

  /** Starts before the server of Spring Boot (2048 below the default), and stops after it. */
  private static final int PHASE = DEFAULT_PHASE - 4096;

  /** After the first failed sweep or supply of a row, every so many of them are logged. */
  private static final int FAILURES_PER_MESSAGE = 60;

  private static final Duration PREPARE_EVERY = Duration.ofSeconds(1);

  private final Pools pools;
  private final DeclaredPools declared;
  private final Optional<DataSource> listening;
  private final MintmarkProperties.Pools properties;

  /** Guarded by this, as is the next. */
  private @Nullable PoolSweeper sweeper;

  private boolean listens;
  private volatile boolean runs;

  /**
   * @param declared were prepared as far as their databases answered
   * @param listening through which the pools listen; empty if they are a bean of the application,
   *     which has them listen
   */
  PoolsLifecycle(
      Pools pools,
      DeclaredPools declared,
      Optional<DataSource> listening,
      MintmarkProperties.Pools properties) {
    this.pools = pools;
    this.declared = declared;
    this.listening = listening;
    this.properties = properties;
  }

  @Override
  public synchronized void start() {
    if (runs) {
      return;
    }
    runs = true;
    if (properties.listen() && !listens) {
      listening.ifPresent(pools::listenThrough);
      listens = true; // Until the pools are closed.
    }
    if (properties.sweep()) {
      sweeper = PoolSweeper.start(pools, properties.sweepInterval(), new SweepLog());
    }
    Thread preparing = new Thread(this::prepareLater, "mintmark-prepare");
    preparing.setDaemon(true);
    preparing.start();
  }

  /** Ends at once if all databases answered at the start. */
  private void prepareLater() {
    while (runs && !declared.prepareLater()) {
      LockSupport.parkNanos(PREPARE_EVERY.toNanos());
    }
  }

  @Override
  public synchronized void stop() {
    runs = false;
    if (sweeper != null) {
      sweeper.close();
      sweeper = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return runs;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** Logs when sweeps, or supplies of pools, begin to fail and when they succeed again. */
  private final class SweepLog implements PoolSweeper.Listener {
    @Override
    public void swept(long freed) {}

    @Override
    public void failed(PoolSweeper.Failures failures) {
      logFailure(
          "sweep",
          failures,
          "values whose lease or quarantine has ended may not be free yet; sweeping again");
    }

    @Override
    public void recovered(PoolSweeper.Failures failures) {
      logRecovery("sweep", failures);
    }

    @Override
    public void supplyFailed(PoolSweeper.Failures failures) {
      logFailure(
          "supply of pools", failures, "values are granted until the blocks end; trying again");
    }

    @Override
    public void supplyRecovered(PoolSweeper.Failures failures) {
      logRecovery("supply of pools", failures);
    }

    private void logFailure(String what, PoolSweeper.Failures failures, String consequence) {
      if (failures.count() % FAILURES_PER_MESSAGE == 1) {
        LOG.warn(
            "%s failed (failures=%s, for=%s): %s; %s every %s"
                .formatted(
                    what,
                    failures.count(),
                    text(failures.length()),
                    failures.last().getMessage(),
                    consequence,
                    text(properties.sweepInterval())));
      }
    }

    private static void logRecovery(String what, PoolSweeper.Failures failures) {
      LOG.info(
          "%s succeeded again (failures=%s, for=%s)"
              .formatted(what, failures.count(), text(failures.length())));
    }

    private static String text(Duration duration) {
      return DurationText.format(duration);
    }
  }
}
