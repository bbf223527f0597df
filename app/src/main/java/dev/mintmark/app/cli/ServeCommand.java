package dev.mintmark.app.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Requirements;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.http.FailoverLog;
import dev.mintmark.app.http.Server;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pack.PackException;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
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
      "Serve the HTTP API and the console on the loopback interface, until Ctrl-C.",
      "Waits for a database that cannot be reached or has no primary yet, and listens from then on."
    },
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private static final Path CATALOG_FILE = Path.of("mintmark.yaml");
  private static final String EXAMPLE = "example-mintmark.yaml";

  /** How many held values of those that a pool excludes are printed at the start. */
  private static final int HELD_SHOWN_MAX = 10;

  private static final Duration TRY_EVERY = Duration.ofSeconds(1);

  /** Every so many attempts to reach the database one is reported. */
  private static final int TRIES_PER_MESSAGE = 5;

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "7300",
      description = "The port on 127.0.0.1; 0 selects a free port. Default: ${DEFAULT-VALUE}")
  int port;

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

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    Optional<Path> declaration = declaration();
    Catalog catalog = declaration.map(CatalogReader::read).orElseGet(ServeCommand::readExample);
    declaration.ifPresent(file -> warn(file, catalog, err));
    checkPortIsFree();

    CloseAtExit atExit = new CloseAtExit(() -> print(err, "stopped"));
    Database database;
    Server server;
    try {
      database = awaitDatabase(atExit, err);
      server = atExit.open(() -> startServer(database, catalog, err));
    } catch (RuntimeException e) {
      atExit.close();
      throw e;
    }

    if (declaration.isEmpty()) {
      err.println(
          "no mintmark.yaml in this directory: serving the example, a pool of 2,044 addresses");
      err.flush();
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("console http://127.0.0.1:" + server.port() + "/");
    out.println("database " + database.shownUrl());
    out.flush();
    return ExitStatus.SERVING;
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
      print(err, "creating a database in " + databaseOptions.data.toAbsolutePath().normalize());
    }
    Database database = databaseOptions.openToServe();
    database.warning().ifPresent(warning -> print(err, "warning: " + warning));
    return database;
  }

  private Server startServer(Database database, Catalog catalog, PrintWriter err) {
    try (HikariDataSource preparing = database.connectionPool("mintmark-prepare", 2);
        Pools declaring = Pools.over(preparing)) {
      if (databaseOptions.isEmbedded()) {
        installPack(database, preparing, err);
      }
      Requirements.checkPools(preparing);
      declaring.reportFailovers(new FailoverLog());
      if (!declaring.watchesTimeline()) {
        print(
            err,
            "warning: the database does not say on which timeline it is: after a failover only"
                + " fencing tokens show that claims are lost");
      }
      declare(declaring, catalog, err);
    }
    Pools pools = Pools.over(database.servingConnections("mintmark-serve", 8));
    pools.reportFailovers(new FailoverLog());
    if (!polls) {
      pools.listenThrough(database.listeningConnections("mintmark-listen"));
    }
    return Server.start(port, catalog, pools, !polls);
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
        .or(() -> Optional.of(CATALOG_FILE).filter(Files::exists));
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
  private void checkPortIsFree() {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("--port is " + port + ": expected 0 to 65535");
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new StartupException(
          "port %d on 127.0.0.1 is taken: stop the process that listens there, or select another with --port"
              .formatted(port),
          e);
    }
  }

  private static void declare(Pools pools, Catalog catalog, PrintWriter err) {
    for (PoolSpec pool : catalog.pools()) {
      Pools.Declared declared = pools.declare(pool);
      if (!declared.undeclared().isEmpty()) {
        err.println(
            "pool \"%s\": %s in the database but not in the catalog: left unchanged"
                .formatted(pool.name(), declared.undeclared()));
      }
      if (!declared.undeclaredExclusions().isEmpty()) {
        err.println(
            "pool \"%s\": %s excluded in the database but not in the catalog: left unchanged"
                .formatted(pool.name(), declared.undeclaredExclusions()));
      }
      if (!declared.excluded().isEmpty()) {
        err.println("pool \"%s\": %s excluded".formatted(pool.name(), declared.excluded()));
      }
      printHeldAlthoughExcluded(pools.open(pool.name()), err);
      err.flush();
    }
  }

  /** Prints excluded values that clients hold: a gateway may be in use. */
  private static void printHeldAlthoughExcluded(Pool pool, PrintWriter err) {
    List<Claim> held = pool.claims(ClaimFilter.EXCLUDED, HELD_SHOWN_MAX + 1);
    held.stream()
        .limit(HELD_SHOWN_MAX)
        .forEach(
            claim ->
                err.println(
                    "warning: pool \"%s\": %s is excluded, but client %s holds it until it is released"
                        .formatted(pool.name(), claim.value(), Quoted.of(claim.client()))));
    if (held.size() > HELD_SHOWN_MAX) {
      err.println(
          "warning: pool \"%s\": more excluded values are held: mintmark pool list %s --excluded"
              .formatted(pool.name(), pool.name()));
    }
  }
}
