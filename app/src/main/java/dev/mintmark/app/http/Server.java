package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.DurationText;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolSweeper;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** The HTTP server, and the sweeper that frees values when a lease or a quarantine ends. */
public final class Server implements CloseAtExit.Resource {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);

  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);

  /** After the first failed sweep of a row, every so many of them are logged. */
  private static final int FAILURES_PER_MESSAGE = 60;

  private final ConfigurableApplicationContext context;
  private final Pools pools;
  private final Optional<NotificationHealth> health;
  private final PoolSweeper sweeper;

  private Server(
      ConfigurableApplicationContext context, Pools pools, Optional<NotificationHealth> health) {
    this.context = context;
    this.pools = pools;
    this.health = health;
    this.sweeper = PoolSweeper.start(pools, SWEEP_INTERVAL, new SweepLog());
  }

  /**
   * Starts a server on the loopback interface. The process lives until the server is closed.
   *
   * @param port the port to listen on; 0 takes a free one
   * @param listens whether the pools listen for notifications of other instances; if so, the log
   *     reports when they do not arrive
   * @throws StartupException if the port is taken
   */
  public static Server start(int port, Catalog catalog, Pools pools, boolean listens) {
    ConfigurableApplicationContext context;
    try {
      context =
          new SpringApplicationBuilder(ServerConfiguration.class)
              .web(WebApplicationType.SERVLET)
              .bannerMode(Banner.Mode.OFF)
              .logStartupInfo(false)
              .registerShutdownHook(false)
              .addCommandLineProperties(false)
              .properties("spring.config.location=optional:classpath:/no-configuration-files/")
              .initializers(
                  (GenericApplicationContext beans) -> {
                    settle(beans.getEnvironment(), port);
                    beans.registerBean(Catalog.class, () -> catalog);
                    beans.registerBean(Pools.class, () -> pools);
                  })
              .run();
    } catch (PortInUseException e) {
      throw new StartupException("port " + port + " on 127.0.0.1 is taken", e);
    }
    Optional<NotificationHealth> health =
        listens
            ? Optional.of(new NotificationHealth(pools::isListening, System::nanoTime))
            : Optional.empty();
    return new Server(context, pools, health);
  }

  /** The port that the server listens on. */
  public int port() {
    return Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer()).getPort();
  }

  @Override
  public void close() {
    sweeper.close();
    context.close();
    pools.close();
  }

  /** Our properties come first: no file or variable for another program changes them. */
  private static void settle(ConfigurableEnvironment environment, int port) {
    environment.getPropertySources().addFirst(new MapPropertySource("mintmark", properties(port)));
  }

  private static Map<String, Object> properties(int port) {
    return Map.ofEntries(
        Map.entry("server.address", "127.0.0.1"),
        Map.entry("server.port", port),
        Map.entry("server.shutdown", "graceful"),
        Map.entry("spring.lifecycle.timeout-per-shutdown-phase", "5s"),
        Map.entry("server.tomcat.threads.max", 32),
        Map.entry("server.tomcat.threads.min-spare", 2),
        Map.entry("spring.servlet.multipart.enabled", false),
        Map.entry("server.tomcat.max-http-form-post-size", "64KB"),
        Map.entry("server.forward-headers-strategy", "none"),
        Map.entry("spring.mvc.problemdetails.enabled", true),
        Map.entry("spring.web.resources.cache.cachecontrol.no-cache", true),
        Map.entry("spring.jmx.enabled", false));
  }

  private static void report(boolean arriving) {
    if (arriving) {
      LOG.info("LISTEN receives notifications");
    } else {
      LOG.warn(
          "LISTEN receives no notifications: the database may be behind a pooler in"
              + " transaction mode. Released values are noticed within {} ms; --no-listen saves the"
              + " connection",
          Pool.REMEMBERED_FOR.toMillis());
    }
  }

  /** Logs when sweeps begin to fail and when they succeed again. */
  private final class SweepLog implements PoolSweeper.Listener {
    @Override
    public void swept(long freed) {
      checkHealth();
    }

    @Override
    public void failed(PoolSweeper.Failures failures) {
      if (failures.count() % FAILURES_PER_MESSAGE == 1) {
        LOG.warn(
            "sweep failed (failures={}, for={}): {}; values whose lease or quarantine has ended"
                + " may not be free yet; sweeping again every {}",
            failures.count(),
            DurationText.format(failures.length()),
            failures.last().getMessage(),
            DurationText.format(SWEEP_INTERVAL));
      }
      startOver();
    }

    @Override
    public void recovered(PoolSweeper.Failures failures) {
      LOG.info(
          "sweep succeeded again (failures={}, for={})",
          failures.count(),
          DurationText.format(failures.length()));
      startOver();
    }

    /** No notification arrives from a database that is down: that says nothing about a pooler. */
    private void startOver() {
      health.ifPresent(NotificationHealth::startOver);
    }

    private void checkHealth() {
      health.flatMap(NotificationHealth::change).ifPresent(Server::report);
    }
  }
}
