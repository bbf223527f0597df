package dev.mintmark.app.http;

import dev.mintmark.DurationText;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.LateConnections;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolSweeper;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The HTTP server, and the sweepers that free values when a lease or a quarantine ends, and supply
 * the pools that get their blocks from others.
 */
public final class Server implements CloseAtExit.Resource {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);

  /** After the first failed sweep or supply of a row, every so many of them are logged. */
  private static final int FAILURES_PER_MESSAGE = 60;

  private final ConfigurableApplicationContext context;
  private final ServerParts parts;
  private final List<PoolSweeper> sweepers = new ArrayList<>();

  private Server(ConfigurableApplicationContext context, ServerParts parts) {
    this.context = context;
    this.parts = parts;
    List<Pools> databases = parts.served().databases();
    Pools first = databases.get(0);
    for (Pools pools : databases) {
      SweepLog log = new SweepLog(pools, pools == first);
      sweepers.add(PoolSweeper.start(pools, SWEEP_INTERVAL, log));
    }
  }

  /**
   * Starts a server. The process lives until it is closed.
   *
   * @throws StartupException if the port is taken, or the files of TLS cannot be used
   */
  public static Server start(ServerOptions options, Served served) {
    try (StartingServer starting = StartingServer.begin(options)) {
      return starting.complete(served);
    }
  }

  /** The server of a context that was started. */
  static Server over(ConfigurableApplicationContext context, ServerParts parts) {
    Server server = new Server(context, parts);
    parts.warmUp().start(parts.options().listening(), server.port());
    return server;
  }

  /** The port that the server listens on. */
  public int port() {
    return Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer()).getPort();
  }

  /**
   * Prepares the end: {@code /readyz} says that the server is stopping, so that balancers send
   * their requests elsewhere, and requests are answered as before for a time. {@link #close} then
   * refuses new requests and waits at most 5 s for those that have begun.
   *
   * @param time how long; an interrupt ends it
   */
  public void drain(Duration time) {
    parts.readiness().stopping();
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    parts.stop();
    sweepers.forEach(PoolSweeper::close);
    context.close();
    parts.close();
  }

  /**
   * Logs when sweeps of a database, or supplies of its pools, begin to fail and when they succeed
   * again. For one thread each. The server is ready also if pools cannot be supplied: what they
   * have is granted.
   */
  private final class SweepLog implements PoolSweeper.Listener {
    private final String database;
    private final boolean isFirst;
    private final Optional<NotificationHealth> health;

    /**
     * @param isFirst whether the server is not ready without this database
     */
    SweepLog(Pools pools, boolean isFirst) {
      this.database = pools.databases().stream().findFirst().map(" of "::concat).orElse("");
      this.isFirst = isFirst;
      this.health =
          parts.options().listens()
              ? Optional.of(new NotificationHealth(pools::isListening, System::nanoTime))
              : Optional.empty();
    }

    @Override
    public void swept(long freed) {
      answered();
      health.flatMap(NotificationHealth::change).ifPresent(this::report);
    }

    @Override
    public void failed(PoolSweeper.Failures failures) {
      if (isFirst) {
        parts.readiness().failed();
      }
      // One that was not opened yet is reported by what opens it.
      if (!LateConnections.isNotOpened(failures.last())) {
        logFailure(
            "sweep",
            failures,
            "values whose lease or quarantine has ended may not be free yet; sweeping again");
      }
      startOver();
    }

    @Override
    public void recovered(PoolSweeper.Failures failures) {
      answered();
      logRecovery("sweep", failures);
      startOver();
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
            "{}{} failed (failures={}, for={}): {}; {} every {}",
            what,
            database,
            failures.count(),
            DurationText.format(failures.length()),
            failures.last().getMessage(),
            consequence,
            DurationText.format(SWEEP_INTERVAL));
      }
    }

    private void logRecovery(String what, PoolSweeper.Failures failures) {
      LOG.info(
          "{}{} succeeded again (failures={}, for={})",
          what,
          database,
          failures.count(),
          DurationText.format(failures.length()));
    }

    private void answered() {
      if (isFirst) {
        parts.readiness().answered();
      }
    }

    /** No notification arrives from a database that is down: that says nothing about a pooler. */
    private void startOver() {
      health.ifPresent(NotificationHealth::startOver);
    }

    private void report(boolean arriving) {
      if (arriving) {
        LOG.info("LISTEN{} receives notifications", database);
      } else {
        LOG.warn(
            "LISTEN{} receives no notifications: the database may be behind a pooler in"
                + " transaction mode. Released values are noticed within {} ms; --no-listen saves the"
                + " connection",
            database,
            Pool.REMEMBERED_FOR.toMillis());
      }
    }
  }
}
