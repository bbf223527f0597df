package dev.mintmark.app.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Catalog;
import dev.mintmark.DurationText;
import dev.mintmark.Keyring;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.app.access.Access;
import dev.mintmark.app.access.AccessUnavailableException;
import dev.mintmark.app.access.TokenRules;
import dev.mintmark.app.access.Tokens;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.CommandAudit;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.PoolDatabaseOptions;
import dev.mintmark.app.cli.common.Requirements;
import dev.mintmark.app.cli.common.SecretOption;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.PoolAddresses;
import dev.mintmark.app.http.Listening;
import dev.mintmark.app.http.Served;
import dev.mintmark.app.http.Server;
import dev.mintmark.app.http.ServerOptions;
import dev.mintmark.app.http.StartingServer;
import dev.mintmark.app.http.TlsFiles;
import dev.mintmark.app.http.Tracing;
import dev.mintmark.app.http.TrustedProxy;
import dev.mintmark.app.log.ServerLog;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pack.PackException;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark serve}: runs the HTTP server and the console until the process is stopped. */
@Command(
    name = "serve",
    description = {
      "Serve the HTTP API and the console until Ctrl-C, on the loopback interface by default.",
      "Waits for a database that cannot be reached or has no primary yet, and listens from then on.",
      "Each option can also be set by a variable as MINTMARK_SERVE_PORT, and in mintmark-serve.yaml as"
          + " port: 7300. A flag is stronger than a variable, and a variable than the file: mintmark"
          + " config shows them."
    },
    preprocessor = ServeSettings.Reading.class,
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final String EXAMPLE = "example-mintmark.yaml";

  /** Connections for requests about pools, to each database. */
  static final int CONNECTIONS = 8;

  static final String WITHOUT_TIMELINE =
      "the database does not say on which timeline it is: after a failover only fencing tokens show"
          + " that claims are lost";

  /** Searches for rows that run at the same time; a further one waits half a second. */
  private static final int FIND_CONNECTIONS = 2;

  private static final Duration TRY_EVERY = Duration.ofSeconds(1);

  private static final Duration DRAIN_MAX = Duration.ofMinutes(10);
  private static final Duration WARM_UP_MAX = Duration.ofMinutes(1);

  /** Every so many attempts to reach the database one is reported. */
  private static final int TRIES_PER_MESSAGE = 5;

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Mixin PoolDatabaseOptions poolDatabases = new PoolDatabaseOptions();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "7300",
      description = "The port; 0 selects a free port. Default: ${DEFAULT-VALUE}")
  int port;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "The address to listen on; 0.0.0.0 and :: are all. Any but loopback requires a key, and TLS"
              + " or --behind-proxy. Default: ${DEFAULT-VALUE}")
  String address;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "Serve HTTPS with this certificate chain, in PEM. Read again when it changes.")
  @Nullable Path tlsCertificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "The private key of the certificate, in PEM.")
  @Nullable Path tlsKey;

  @Option(
      names = "--behind-proxy",
      paramLabel = "CIDR",
      description = {
        "The addresses of your reverse proxies. X-Forwarded-For and X-Forwarded-Proto are believed"
            + " from them alone. Requires a key on any address."
      })
  @Nullable String behindProxy;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      description = "The catalog. Default: mintmark.yaml if it exists, otherwise an example")
  @Nullable Path catalogFile;

  @Option(
      names = "--no-listen",
      description = {
        "Do not LISTEN for releases by other instances; poll every 750 ms instead. For a database"
            + " behind a transaction-mode pooler, where LISTEN receives nothing."
      })
  boolean polls;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      defaultValue = "0s",
      description =
          "When the process is told to stop, answer requests for so long, at most 10m, while /readyz"
              + " says 503, so that a balancer sends them elsewhere. Default: ${DEFAULT-VALUE}")
  String drain;

  @Option(
      names = "--warm-up",
      paramLabel = "TIME",
      defaultValue = "3s",
      description =
          "After the start, let the server send requests to itself for so long, at most 1m, before"
              + " /readyz says ok: Java compiles what they run, so that the first seconds of load are"
              + " not slow. 0s: not at all. Default: ${DEFAULT-VALUE}")
  String warmUp;

  @Mixin LimitOptions limits = new LimitOptions();

  @Mixin OidcOptions oidc = new OidcOptions();

  @Mixin TraceOptions traces = new TraceOptions();

  @Mixin SecretOption secret = new SecretOption();

  @Option(
      names = ServeSettings.CONFIG,
      paramLabel = "FILE",
      description = "The file with settings. Default: mintmark-serve.yaml if it exists")
  @Nullable Path config;

  @Mixin LogOptions logging = new LogOptions();

  /** Whether the embedded PostgreSQL has ended by itself, and the process ends therefore. */
  private volatile boolean isWithoutDatabase;

  @Override
  public Integer call() {
    ServerLog log = logging.start(spec.commandLine());
    try {
      return serve(log);
    } catch (RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /**
   * Checks the settings, without a database, a catalog and a port.
   *
   * @throws IllegalArgumentException if one is wrong
   */
  void check(Map<String, String> environment) {
    listening();
    draining();
    warmingUp();
    limits.parse();
    oidc.parse();
    traces.parse();
    databaseOptions.named();
    poolDatabases.check(environment);
  }

  private int serve(ServerLog log) {
    Listening listening = listening();
    check(System.getenv());
    try (StartingServer starting = StartingServer.begin(options(listening))) {
      return serve(log, listening, starting);
    }
  }

  private ServerOptions options(Listening listening) {
    return ServerOptions.at(listening)
        .withListens(!polls)
        .withMaintains(true)
        .withWarmUp(warmingUp())
        .withLimits(limits.parse())
        .withTracing(traces.parse().map(url -> Tracing.to(url, MintmarkCommand.version())));
  }

  private int serve(ServerLog log, Listening listening, StartingServer starting) {
    PrintWriter err = spec.commandLine().getErr();
    Optional<Path> declaration = declaration();
    Catalog catalog =
        declaration.map(file -> CatalogFile.read(spec, file)).orElseGet(ServeCommand::readExample);
    declaration.ifPresent(file -> warn(file, catalog, err));
    Optional<Keyring> keyring =
        RowSearch.isDeclared(catalog) ? secret.keyringIfGiven() : Optional.empty();
    PoolAddresses addresses = poolDatabases.addresses(catalog.databases(), System.getenv());
    Duration draining = draining();
    checkPortIsFree(listening);

    PrintWriter notices = Verbosity.notices(spec);
    CloseAtExit atExit = new CloseAtExit(() -> print(notices, "stopped"));
    var unused = atExit.add(log::close);
    Database database;
    Server server;
    try {
      database = awaitDatabase(atExit, err);
      PoolDatabases databases = atExit.open(() -> PoolDatabases.start(addresses));
      server =
          atExit.open(
              () ->
                  starting.complete(served(listening, database, databases, catalog, keyring, err)));
      if (!draining.isZero()) {
        atExit.add(() -> drain(server, draining, notices));
      }
    } catch (RuntimeException e) {
      atExit.close();
      throw e;
    }
    database.onUnexpectedEnd(message -> endWithoutDatabase(message, atExit, err));

    if (declaration.isEmpty()) {
      print(
          notices,
          "no mintmark.yaml in this directory: serving the example, a pool of 2,044 addresses");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("console " + url(listening, server.port()));
    out.println("database " + database.shownUrl());
    out.flush();
    return ExitStatus.SERVING;
  }

  /** What started this program can start it again, and PostgreSQL with it. */
  private void endWithoutDatabase(String message, CloseAtExit atExit, PrintWriter err) {
    // A signal to all processes ends PostgreSQL too, perhaps before it is closed here.
    if (!atExit.isClosed()) {
      isWithoutDatabase = true;
      print(err, MintmarkCommand.NAME + ": " + message);
      System.exit(ExitStatus.FAILED);
    }
  }

  private void drain(Server server, Duration time, PrintWriter notices) {
    if (isWithoutDatabase) {
      return;
    }
    print(notices, "draining for " + DurationText.format(time));
    server.drain(time);
  }

  private Duration draining() {
    return time("--drain", drain, DRAIN_MAX);
  }

  private Duration warmingUp() {
    return time("--warm-up", warmUp, WARM_UP_MAX);
  }

  private static Duration time(String option, String text, Duration max) {
    Duration time = DurationKey.parse(option, text);
    if (time.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "%s is %s: expected at most %s".formatted(option, text, DurationText.format(max)));
    }
    return time;
  }

  /** Opens the database as soon as it is there, however long that takes, until Ctrl-C. */
  private Database awaitDatabase(CloseAtExit atExit, PrintWriter err) {
    for (long tries = 0; ; tries++) {
      try {
        return atExit.open(() -> openDatabase(err));
      } catch (StartupException e) {
        if (!Database.isAwaited(e)) {
          throw e;
        }
        if (tries % TRIES_PER_MESSAGE == 0) {
          print(err, "waiting for the database: " + e.getMessage());
        }
      }
      LockSupport.parkNanos(TRY_EVERY.toNanos());
    }
  }

  private Database openDatabase(PrintWriter err) {
    if (databaseOptions.isNewEmbedded()) {
      print(
          Verbosity.notices(spec),
          "creating a database in " + databaseOptions.data.toAbsolutePath().normalize());
    }
    Database database = databaseOptions.openToServe();
    database.warning().ifPresent(warning -> print(err, "warning: " + warning));
    return database;
  }

  private Served served(
      Listening listening,
      Database database,
      PoolDatabases databases,
      Catalog catalog,
      Optional<Keyring> keyring,
      PrintWriter err) {
    Optional<Access> access = openAccess(listening, oidc.parse(), database, err);
    try (HikariDataSource preparing = database.connectionPool("mintmark-prepare", 2);
        Pools declaring = databases.overFirst(preparing)) {
      if (databaseOptions.isEmbedded()) {
        installPack(database, preparing, err);
      }
      Requirements.checkPools(preparing);
      if (!declaring.watchesTimeline()) {
        print(err, "warning: " + WITHOUT_TIMELINE);
      }
      databases.declare(catalog.pools(), declaring, database, err);
      audit(access, catalog);
    }
    DataSource requests = database.servingConnections("mintmark-serve", CONNECTIONS);
    Maintenance maintenance =
        new Maintenance(
            requests,
            database.examiningConnections("mintmark-doctor"),
            database.ownConnections("mintmark-migrate"),
            declaration());
    return Served.of(catalog, databases.serving(database, requests, !polls))
        .withRows(rowSearch(database, catalog, keyring))
        .withMaintenance(maintenance)
        .withAccess(access);
  }

  /** Searches have connections of their own: they never delay a claim. */
  private static RowSearch rowSearch(
      Database database, Catalog catalog, Optional<Keyring> keyring) {
    return RowSearch.isDeclared(catalog)
        ? RowSearch.of(
            catalog, keyring, database.servingConnections("mintmark-find", FIND_CONNECTIONS))
        : RowSearch.off();
  }

  /** Reads the options that say where to listen, so that errors in them are reported at once. */
  private Listening listening() {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("--port is " + port + ": expected 0 to 65535");
    }
    if ((tlsCertificate == null) != (tlsKey == null)) {
      throw new IllegalArgumentException("expected both --tls-certificate and --tls-key");
    }
    Optional<TlsFiles> tls =
        tlsCertificate == null || tlsKey == null
            ? Optional.empty()
            : Optional.of(new TlsFiles(tlsCertificate, tlsKey));
    tls.ifPresent(TlsFiles::check);
    return new Listening(
        interfaceOf(address), port, tls, Optional.ofNullable(behindProxy).map(TrustedProxy::parse));
  }

  private static InetAddress interfaceOf(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "--listen is %s: expected the address of an interface".formatted(Quoted.of(address)), e);
    }
  }

  /** The address for people: the default is written as it always was. */
  private static String url(Listening listening, int port) {
    String host = listening.address().getHostAddress();
    return "%s://%s:%s/"
        .formatted(
            listening.tls().isPresent() ? "https" : "http",
            host.contains(":") ? "[" + host + "]" : host,
            port);
  }

  /**
   * Opens the keys and the audit. A role that may not create their tables can serve without them,
   * but only where no accounts are required; if there are tables, they must be readable and of this
   * version, because they may contain keys.
   */
  private static Optional<Access> openAccess(
      Listening listening, Optional<TokenRules> tokens, Database database, PrintWriter err) {
    try {
      database.createAccessTables();
    } catch (StartupException e) {
      if (listening.requiresAccounts() || tokens.isPresent() || database.hasAccessTables()) {
        throw e;
      }
      print(err, "warning: no accounts and no audit: " + e.getMessage());
      return Optional.empty();
    }
    Access access =
        Access.open(database.servingConnections("mintmark-access", 2), tokens.map(Tokens::new));
    access.tokens().ifPresent(accepting -> connect(accepting, err));
    if (listening.requiresAccounts() && !access.areAccountsOn()) {
      access.close();
      throw new StartupException(
          "other machines can reach this server, so it needs a key: create the first one with"
              + " mintmark key create --admin");
    }
    return Optional.of(access);
  }

  /** A provider that is not there yet does not stop the server: keys are accepted meanwhile. */
  private static void connect(Tokens tokens, PrintWriter err) {
    try {
      tokens.connect();
    } catch (AccessUnavailableException e) {
      print(err, "warning: " + e.getMessage());
    }
  }

  /** The catalog may have created and changed pools. */
  private void audit(Optional<Access> access, Catalog catalog) {
    if (!catalog.pools().isEmpty()) {
      String names = catalog.pools().stream().map(PoolSpec::name).collect(Collectors.joining(" "));
      access.ifPresent(
          open -> {
            var unused =
                open.audit().begin(CommandAudit.entry(spec).withTarget(names).ended("declared"));
          });
    }
  }

  private static void print(PrintWriter err, String line) {
    err.println(line);
    err.flush();
  }

  /** Installs the SQL pack. If that fails, the server starts without it and prints a warning. */
  private static void installPack(Database database, DataSource connections, PrintWriter err) {
    try {
      Pack.inSchema(Pack.SCHEMA).install(connections);
    } catch (PackException e) {
      err.println("warning: the SQL pack was not installed: " + e.getMessage());
      err.flush();
    } catch (SQLException e) {
      throw database.failure(e);
    }
  }

  /** Returns the catalog file; empty if there is none and the example is served. */
  private Optional<Path> declaration() {
    return Optional.ofNullable(catalogFile)
        .or(
            () ->
                Optional.of(CatalogFile.DEFAULT).filter(file -> CatalogFile.isPresent(spec, file)));
  }

  private static void warn(Path file, Catalog catalog, PrintWriter err) {
    catalog.lint().forEach(finding -> err.println("warning: " + file + ": " + finding));
    err.flush();
  }

  private static Catalog readExample() {
    try (InputStream example = ServeCommand.class.getResourceAsStream(EXAMPLE)) {
      if (example == null) {
        throw new IllegalStateException(EXAMPLE + " is missing");
      }
      return CatalogReader.read(
          EXAMPLE, new String(example.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks the port before the database is started, so that a taken port is reported at once. */
  private static void checkPortIsFree(Listening listening) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(listening.address(), listening.port()));
    } catch (IOException e) {
      throw new StartupException(
          "port %s on %s is taken: stop the process that listens there, or select another with --port"
              .formatted(listening.port(), listening.address().getHostAddress()),
          e);
    }
  }
}
