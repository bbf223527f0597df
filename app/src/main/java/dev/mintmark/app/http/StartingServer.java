package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.app.access.Access;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pool.Pools;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * A server that starts while its database is opened. Spring takes as long as that, and uses the
 * database only when it creates the filters. For one thread.
 *
 * <pre>{@code
 * try (StartingServer starting = StartingServer.begin(options)) {
 *   Pools pools = open();
 *   Server server = starting.complete(Served.of(catalog, pools));
 * }
 * }</pre>
 */
public final class StartingServer implements AutoCloseable {
  /** The name of the bundle with the certificate. */
  private static final String TLS = "mintmark";

  /**
   * After so many requests a connection is closed. Connections cost more than most requests, above
   * all with TLS; but those of clients that never pause would never move to another server.
   */
  private static final int KEPT_REQUESTS_MAX = 1_000;

  private static final Map<String, Object> PROPERTIES =
      Map.ofEntries(
          Map.entry("server.shutdown", "graceful"),
          Map.entry("spring.lifecycle.timeout-per-shutdown-phase", "5s"),
          Map.entry("server.tomcat.threads.max", 32),
          Map.entry("server.tomcat.threads.min-spare", 2),
          Map.entry("server.tomcat.max-keep-alive-requests", KEPT_REQUESTS_MAX),
          Map.entry("server.tomcat.max-http-form-post-size", "64KB"),
          Map.entry("server.forward-headers-strategy", "none"),
          // The keys of a form must not become parameters.
          Map.entry("spring.mvc.formcontent.filter.enabled", false),
          Map.entry("spring.mvc.problemdetails.enabled", true),
          Map.entry("spring.web.resources.cache.cachecontrol.no-cache", true));

  private final ServerOptions options;
  private final Readiness readiness = new Readiness(System::nanoTime);
  private final WarmUp warmUp;
  private final CallerLoads loads;
  private final CompletableFuture<ServerParts> parts = new CompletableFuture<>();
  private final CompletableFuture<ConfigurableApplicationContext> context =
      new CompletableFuture<>();

  private StartingServer(ServerOptions options) {
    this.options = options;
    this.warmUp = new WarmUp(options.warmUp(), readiness);
    this.loads = new CallerLoads(options.limits(), System::nanoTime);
  }

  /** Begins in a thread of its own, which waits for {@link #complete} or {@link #close}. */
  public static StartingServer begin(ServerOptions options) {
    StartingServer starting = new StartingServer(options);
    takeLogs();
    var unused = starting.context.completeAsync(starting::run, StartingServer::inOwnThread);
    return starting;
  }

  private static void inOwnThread(Runnable work) {
    Thread thread = new Thread(work, "mintmark-start");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Returns the server, which listens. The process lives until it is closed.
   *
   * @throws StartupException if the port is taken, or the files of TLS cannot be used; what is
   *     served was closed
   * @throws IllegalArgumentException if one of server and served has maintenance, and the other not
   */
  public Server complete(Served served) {
    if (options.maintains() != served.maintenance().isPresent()) {
      throw new IllegalArgumentException(
          options.maintains()
              ? "the server offers maintenance, and none is served"
              : "maintenance is served, and the server does not offer it");
    }
    ServerParts all = ServerParts.of(options, served, readiness, warmUp, loads);
    parts.complete(all);
    ConfigurableApplicationContext running;
    try {
      running = awaitContext();
    } catch (Throwable e) {
      all.stop();
      all.close();
      throw e;
    }
    // The database answered when the pools were opened; the time until now is that of Spring.
    readiness.answered();
    return Server.over(running, all);
  }

  /** An interrupt does not end this: Spring goes on, and its result must be known to be closed. */
  private ConfigurableApplicationContext awaitContext() {
    try {
      return context.join();
    } catch (CompletionException e) {
      throw failure(Objects.requireNonNullElse(e.getCause(), e));
    }
  }

  private RuntimeException failure(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    Listening listening = options.listening();
    if (isOfPort(e)) {
      return new StartupException(
          "port %s on %s is taken"
              .formatted(listening.port(), listening.address().getHostAddress()),
          e);
    }
    if (e instanceof ApplicationContextException && listening.tls().isPresent()) {
      return new StartupException("TLS: " + rootMessage(e), e);
    }
    return e instanceof RuntimeException unexpected ? unexpected : new IllegalStateException(e);
  }

  /**
   * Ends what has begun, unless it was completed. The thread ends as soon as Spring asks for
   * something; this does not wait for it.
   */
  @Override
  public void close() {
    if (parts.completeExceptionally(new CancellationException("the server does not start"))) {
      options.tracing().ifPresent(Tracing::close);
    }
  }

  private ConfigurableApplicationContext run() {
    return new SpringApplicationBuilder(ServerConfiguration.class)
        .web(WebApplicationType.SERVLET)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .registerShutdownHook(false)
        .addCommandLineProperties(false)
        .properties("spring.config.location=optional:classpath:/no-configuration-files/")
        .initializers((GenericApplicationContext beans) -> register(beans))
        .run();
  }

  /** What is known when the database is open. */
  private interface Part<T> {
    @Nullable T of(ServerParts all);
  }

  private void register(GenericApplicationContext beans) {
    settle(beans.getEnvironment(), options.listening());
    beans.registerBean(Listening.class, options::listening);
    beans.registerBean(Readiness.class, () -> readiness);
    beans.registerBean(WarmUp.class, () -> warmUp);
    beans.registerBean(CallerLoads.class, () -> loads);
    options
        .tracing()
        .ifPresent(
            traces -> beans.registerBean(Tracing.class, () -> traces, StartingServer::doNotClose));
    // From here on with what was opened: Spring asks for it when it makes the filters.
    registerLate(beans, Catalog.class, all -> all.served().catalog());
    registerLate(beans, Pools.class, all -> all.served().pools());
    registerLate(beans, RowSearch.class, all -> all.served().rows());
    registerLate(beans, Access.class, all -> all.served().access().orElse(null));
    registerLate(beans, ServerMeters.class, ServerParts::meters);
    registerLate(beans, PoolWatches.class, ServerParts::watches);
    if (options.maintains()) {
      registerLate(beans, Maintenance.class, all -> all.served().maintenance().orElse(null));
    }
  }

  /** Registers a bean of which there may be none: Spring takes null for that. */
  @SuppressWarnings("NullAway")
  private <T> void registerLate(GenericApplicationContext beans, Class<T> type, Part<T> part) {
    beans.registerBean(type, () -> part.of(parts.join()), StartingServer::doNotClose);
  }

  /** The server closes what is used by requests: before the last of them, or after it. */
  private static void doNotClose(BeanDefinition bean) {
    bean.setDestroyMethodName("");
  }

  /** Sends what Spring and Tomcat log to where everything is logged. */
  static void takeLogs() {
    System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    if (!SLF4JBridgeHandler.isInstalled()) {
      SLF4JBridgeHandler.removeHandlersForRootLogger();
      SLF4JBridgeHandler.install();
    }
  }

  private static boolean isOfPort(@Nullable Throwable e) {
    return e != null && (e instanceof PortInUseException || isOfPort(e.getCause()));
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
        TlsFiles.url(files.certificate()),
        "spring.ssl.bundle.pem." + TLS + ".keystore.private-key",
        TlsFiles.url(files.key()),
        "spring.ssl.bundle.pem." + TLS + ".keystore.verify-keys",
        files.areComparable(),
        "spring.ssl.bundle.pem." + TLS + ".reload-on-update",
        true,
        "spring.ssl.bundle.watch.file.quiet-period",
        "1s");
  }
}
