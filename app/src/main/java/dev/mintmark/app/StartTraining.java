package dev.mintmark.app;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.cli.MintmarkCommand;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.http.Served;
import dev.mintmark.app.http.Server;
import dev.mintmark.app.http.ServerOptions;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pool.Pools;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.sql.DataSource;

/**
 * Runs what commands run when they start, so that a JVM can record the classes in a class-data
 * archive. The launcher runs it, in the background as a rule. It changes nothing that is the
 * user's: its database is a temporary one.
 */
final class StartTraining {
  private static final String ID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  private static final String CATALOG =
      """
      namespace: a
      collections:
        b: {kind: uuidv7, table: b}
        c: {kind: ulid}
      pools:
        d: {blocks: [10.0.0.0/24], lease: 30s}
      """;

  /** What a user may type by mistake. */
  static final List<String> NO_IDENTIFIER = List.of("convert", "--to", "time", "nonsense");

  static final List<String> NO_COMMAND = List.of("mnit");

  private static final List<List<String>> COMMANDS_WITH_DATABASE =
      List.of(
          List.of("pool", "create", "d", "--block", "10.0.0.0/24", "--lease", "30s"),
          List.of("pool", "list"),
          List.of("pool", "list", "--json"),
          List.of("pool", "claim", "d", "--client", "e"),
          List.of("pool", "list", "d"),
          List.of("pool", "stats", "d"),
          List.of("pool", "stats", "--json"),
          List.of("pool", "history", "d"),
          List.of("pool", "release", "d", "--client", "e"),
          List.of("doctor"),
          List.of("migrate", "status"),
          List.of("audit"),
          List.of("key", "list"));

  /** What other commands with a database load, and those if no database could be started. */
  private static final Pattern OF_DATABASES =
      Pattern.compile(
          "(org/postgresql/(core|jdbc|util|gss|ssl|plugin|hostchooser|jre7|shaded)"
              + "|com/zaxxer/hikari/(pool|util)|dev/mintmark/(postgres|app/(database|view|cli/pool)))/"
              + ".*\\.class");

  private static final Duration WARM_UP = Duration.ofMillis(100);

  private static final Pattern CLASS_PATH_ENTRY =
      Pattern.compile(File.pathSeparator, Pattern.LITERAL);

  private StartTraining() {}

  /** Runs the commands and a server, and loads the classes of connections. */
  public static void main(String[] args) throws IOException {
    Main.handleUncaught();
    run();
    try {
      runWithDatabase();
    } catch (IOException | RuntimeException e) {
      // Commands with a database start more slowly then. There may be none for this machine.
      System.err.println("without a database: " + e);
    }
    for (String entry :
        CLASS_PATH_ENTRY.splitAsStream(System.getProperty("java.class.path")).toList()) {
      if (entry.endsWith(".jar")) {
        loadClasses(entry);
      }
    }
    System.exit(0); // no thread of a command may keep the process
  }

  /** Runs the commands that need no database, and returns those that failed. */
  static List<List<String>> run() throws IOException {
    Path catalog = Files.createTempFile("mintmark-", ".yaml");
    try {
      Files.writeString(catalog, CATALOG);
      return failures(
          List.of(
              List.of("mint"),
              List.of("mint", "--kind", "ulid", "-n", "2", "--to", "uuid"),
              List.of("mint", "--collection", "b", "--catalog", catalog.toString()),
              List.of("mint", "--kind", "snowflake", "--node", "1"),
              List.of("inspect", ID),
              List.of("inspect", "--json", ID),
              List.of("convert", "--to", "uuid", ID),
              NO_IDENTIFIER,
              List.of("catalog", "check", catalog.toString()),
              List.of("catalog", "check", "--json", catalog.toString()),
              NO_COMMAND));
    } finally {
      Files.delete(catalog);
    }
  }

  /**
   * Runs commands on a temporary database, and returns those that failed.
   *
   * @throws StartupException if there is no embedded PostgreSQL for this machine, or it fails
   */
  static List<List<String>> runWithDatabase() throws IOException {
    try (EmbeddedDatabase temporary = EmbeddedDatabase.startTemporary();
        Database database = Database.over(temporary)) {
      database.createAccessTables();
      List<List<String>> commands = new ArrayList<>();
      for (List<String> command : COMMANDS_WITH_DATABASE) {
        commands.add(append(command, "--data", temporary.directory().toString()));
      }
      commands.add(append(List.of("pool", "list"), "--database-url", temporary.jdbcUrl()));
      List<List<String>> failures = failures(commands);
      serve(database);
      return failures;
    }
  }

  /** Starts a server as {@code serve} does, and asks it for something. */
  private static void serve(Database database) throws IOException {
    Pools pools = Pools.over(database.servingConnections("mintmark-serve", 2));
    pools.listenThrough(database.listeningConnections("mintmark-listen"));
    DataSource others = database.servingConnections("mintmark-access", 2);
    ServerOptions options =
        ServerOptions.onLoopback(0).withListens(true).withMaintains(true).withWarmUp(WARM_UP);
    Served served =
        Served.of(CatalogReader.read("training", CATALOG), pools)
            .withAccess(Optional.of(Access.open(others, Optional.empty())))
            .withMaintenance(new Maintenance(others, others, others, Optional.empty()));
    try (Server server = Server.start(options, served);
        InputStream answer =
            URI.create("http://127.0.0.1:%s/v1/pools".formatted(server.port()))
                .toURL()
                .openStream()) {
      answer.readAllBytes();
    }
  }

  private static List<List<String>> failures(List<List<String>> commands) {
    return commands.stream()
        .filter(command -> MintmarkCommand.execute(command.toArray(String[]::new)) != 0)
        .toList();
  }

  private static List<String> append(List<String> command, String... options) {
    return Stream.concat(command.stream(), Stream.of(options)).toList();
  }

  private static void loadClasses(String jar) throws IOException {
    try (ZipFile file = new ZipFile(jar)) {
      for (Enumeration<? extends ZipEntry> entries = file.entries(); entries.hasMoreElements(); ) {
        String name = entries.nextElement().getName();
        if (OF_DATABASES.matcher(name).matches()) {
          load(name.replaceFirst("\\.class$", "").replace('/', '.'));
        }
      }
    }
  }

  /** Loads a class without initializing it; some need libraries that we do not have. */
  private static void load(String name) {
    try {
      Class.forName(name, false, StartTraining.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // It is not in the archive then.
    }
  }
}
