package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.DurationText;
import dev.mintmark.app.access.Access;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolSweeper;
import dev.mintmark.postgres.pool.Pools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContextException;
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

  /** The name of the bundle with the certificate. */
  private static final String TLS = "mintmark";

  private static final Map<String, Object> PROPERTIES =
      Map.ofEntries(
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

  private final ConfigurableApplicationContext context;
  private final Pools pools;
  private final ServerMeters meters;
  private final Readiness readiness;
  private final WarmUp warmUp;
  private final PoolWatches watches;
  private final Optional<NotificationHealth> health;
  private final Optional<Maintenance> maintenance;
  private final Optional<Access> access;
  private final Optional<Tracing> tracing;
  private final PoolSweeper sweeper;

  private Server(
      ConfigurableApplicationContext context,
      Pools pools,
      ServerMeters meters,
      Readiness readiness,
      WarmUp warmUp,
      PoolWatches watches,
      Optional<NotificationHealth> health,
      ServerOptions options) {
    this.context = context;
    this.pools = pools;
    this.meters = meters;
    this.readiness = readiness;
    this.warmUp = warmUp;
    this.watches = watches;
    this.health = health;
    this.maintenance = options.maintenance();
    this.access = options.access();
    this.tracing = options.tracing();
    this.sweeper = PoolSweeper.start(pools, SWEEP_INTERVAL, new SweepLog());
  }

  /**
   * Starts a server. The process lives until it is closed.
   *
   * @param pools are closed with the server
   * @throws StartupException if the port is taken, or the files of TLS cannot be used
   */
  public static Server start(ServerOptions options, Catalog catalog, Pools pools) {
    takeLogs();
    Readiness readiness = new Readiness(System::nanoTime);
    WarmUp warmUp = new WarmUp(options.warmUp(), readiness);
    Listening listening = options.listening();
    Optional<Access> access = options.access();
    PoolWatches watches = new PoolWatches(access, listening, System::nanoTime);
    CallerLoads loads = new CallerLoads(options.limits(), System::nanoTime);
    ServerMeters meters = new ServerMeters(pools, readiness, watches, loads);
    pools.reportClaims(meters.ofClaims());
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
                    settle(beans.getEnvironment(), listening);
                    beans.registerBean(Catalog.class, () -> catalog);
                    beans.registerBean(Pools.class, () -> pools);
                    beans.registerBean(RowSearch.class, options::rows);
                    beans.registerBean(Listening.class, () -> listening);
                    access.ifPresent(
                        open -> beans.registerBean(Access.class, () -> open, Server::doNotClose));
                    beans.registerBean(Readiness.class, () -> readiness);
                    beans.registerBean(WarmUp.class, () -> warmUp);
                    beans.registerBean(ServerMeters.class, () -> meters);
                    beans.registerBean(PoolWatches.class, () -> watches, Server::doNotClose);
                    options
                        .tracing()
                        .ifPresent(
                            traces ->
                                beans.registerBean(
                                    Tracing.class, () -> traces, Server::doNotClose));
                    beans.registerBean(CallerLoads.class, () -> loads);
                    options
                        .maintenance()
                        .ifPresent(doctor -> beans.registerBean(Maintenance.class, () -> doctor));
                  })
              .run();
    } catch (PortInUseException e) {
      throw new StartupException(
          "port %d on %s is taken"
              .formatted(listening.port(), listening.address().getHostAddress()),
          e);
    } catch (ApplicationContextException e) {
      if (listening.tls().isPresent()) {
        throw new StartupException("TLS: " + rootMessage(e), e);
      }
      throw e;
    }
    Optional<NotificationHealth> health =
        options.listens()
            ? Optional.of(new NotificationHealth(pools::isListening, System::nanoTime))
            : Optional.empty();
    // The database answered when the pools were opened; the time until now is that of Spring.
    readiness.answered();
    Server server = new Server(context, pools, meters, readiness, warmUp, watches, health, options);
    warmUp.start(listening, server.port());
    return server;
  }

  /** Sends what Spring and Tomcat log to where everything is logged. */
  private static void takeLogs() {
    System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    if (!SLF4JBridgeHandler.isInstalled()) {
      SLF4JBridgeHandler.removeHandlersForRootLogger();
      SLF4JBridgeHandler.install();
    }
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
    readiness.stopping();
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    warmUp.stop();
    watches.close();
    sweeper.close();
    maintenance.ifPresent(Maintenance::close);
    context.close();
    access.ifPresent(Access::close);
    meters.close();
    tracing.ifPresent(Tracing::close);
    pools.close();
  }

  /** This closes what is used by requests: before the last of them, or after it. */
  private static void doNotClose(BeanDefinition bean) {
    bean.setDestroyMethodName("");
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  /** Our properties come first: no file or variable for another program changes them. */
  private static void settle(ConfigurableEnvironment environment, Listening listening) {
    Map<String, Object> properties = new HashMap<>(PROPERTIES);
    properties.put("server.address", listening.address().getHostAddress());
    properties.put("server.port", listening.port());
    listening.tls().ifPresent(files -> properties.putAll(properties(files)));
    environment.getPropertySources().addFirst(new MapPropertySource("mintmark", properties));
  }

  /** The files are watched: a new certificate is used without a restart. */
  private static Map<String, Object> properties(TlsFiles files) {
    return Map.of(
        "server.ssl.bundle",
        TLS,
        "spring.ssl.bundle.pem." + TLS + ".keystore.certificate",
        url(files.certificate()),
        "spring.ssl.bundle.pem." + TLS + ".keystore.private-key",
        url(files.key()),
        "spring.ssl.bundle.pem." + TLS + ".reload-on-update",
        true,
        "spring.ssl.bundle.watch.file.quiet-period",
        "1s");
  }

  private static String url(Path file) {
    return file.toAbsolutePath().toUri().toString();
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
      readiness.answered();
      checkHealth();
    }

    @Override
    public void failed(PoolSweeper.Failures failures) {
      readiness.failed();
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
      readiness.answered();
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
