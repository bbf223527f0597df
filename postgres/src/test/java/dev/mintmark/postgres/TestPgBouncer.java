package dev.mintmark.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PgBouncer in transaction mode before one database: its clients get another connection of the
 * server with every transaction, and share few.
 *
 * <p>Where no {@code pgbouncer} is installed, the test that asks for one is skipped with a loud
 * line, and fails where {@code CI=true}.
 */
public final class TestPgBouncer implements AutoCloseable {
  /** Connections to the server that all clients share, unless a test wants another number. */
  public static final int SERVER_CONNECTIONS = 3;

  /** The directories where it is, besides those of {@code PATH}: users who are not root lack it. */
  private static final List<String> SYSTEM_DIRECTORIES = List.of("/usr/sbin", "/usr/local/sbin");

  private static final Pattern VERSION = Pattern.compile("PgBouncer (\\d+)\\.(\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final TestDatabase database;
  private final Path directory;
  private final int port;
  private final Process process;
  private final Thread hook;

  private TestPgBouncer(TestDatabase database, Path directory, int port, Process process) {
    this.database = database;
    this.directory = directory;
    this.port = port;
    this.process = process;
    this.hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts one, with {@value #SERVER_CONNECTIONS} connections to the server. */
  public static TestPgBouncer before(TestDatabase database) {
    return before(database, SERVER_CONNECTIONS);
  }

  /**
   * Starts one. It knows the roles that the server has by now.
   *
   * @param serverConnections what its clients share
   */
  public static TestPgBouncer before(TestDatabase database, int serverConnections) {
    Path program = program();
    try {
      TestPgBouncer bouncer = start(program, database, serverConnections);
      bouncer.awaitAnswer();
      return bouncer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Connections through it, with the settings that docs/jdbc.md asks for. */
  public DataSource dataSource() {
    return dataSource("postgres");
  }

  /** The same for another role than the superuser. */
  public DataSource dataSource(String user) {
    PGSimpleDataSource dataSource = dataSourceAsTheDriverHasIt();
    dataSource.setUser(user);
    dataSource.setPrepareThreshold(0);
    return dataSource;
  }

  /** Connections with the driver's own settings, which do not go with transaction mode. */
  public PGSimpleDataSource dataSourceAsTheDriverHasIt() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setServerNames(new String[] {"127.0.0.1"});
    dataSource.setPortNumbers(new int[] {port});
    dataSource.setDatabaseName(database.name());
    dataSource.setUser("postgres");
    return dataSource;
  }

  /** Ends it, and with it all connections that go through it. */
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    process.destroyForcibly();
    try {
      process.waitFor();
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path program() {
    Optional<Path> program = find("pgbouncer");
    if (program.isEmpty() && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("transaction mode cannot be tested: no pgbouncer");
    }
    if (program.isEmpty()) {
      System.err.println("NOT TESTED: transaction mode, for want of a pgbouncer");
    }
    assumeTrue(program.isPresent());
    return program.get();
  }

  private static Optional<Path> find(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(Arrays.stream(path.split(File.pathSeparator)), SYSTEM_DIRECTORIES.stream())
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static TestPgBouncer start(Path program, TestDatabase database, int serverConnections)
      throws IOException {
    // Root's pgbouncer becomes nobody, who has to read what is in here.
    Path directory =
        Files.createTempDirectory(
            "pgbouncer",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    int port = freePort();
    Path users = Files.writeString(directory.resolve("users.txt"), users(database));
    Path ini =
        Files.writeString(
            directory.resolve("pgbouncer.ini"),
            """
            [databases]
            %s = host=127.0.0.1 port=%d
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = trust
            auth_file = %s
            pool_mode = transaction
            default_pool_size = %d
            max_client_conn = 200
            %s
            """
                .formatted(
                    database.name(),
                    database.port(),
                    port,
                    users,
                    serverConnections,
                    withoutPreparedStatements(program)));
    List<String> command = new ArrayList<>(List.of(program.toString(), ini.toString()));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(1, List.of("-u", "nobody"));
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    return new TestPgBouncer(database, directory, port, process);
  }

  private static String users(TestDatabase database) {
    return database.text(
        "select string_agg(format('\"%s\" \"\"', rolname), E'\\n') from pg_roles"
            + " where rolcanlogin");
  }

  /** From 1.21 on it can follow prepared statements; here it is to be like those before. */
  private static String withoutPreparedStatements(Path program) throws IOException {
    Process process = new ProcessBuilder(program.toString(), "--version").start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher version = VERSION.matcher(answer);
    if (!version.find()) {
      throw new IllegalStateException("no version of pgbouncer in: " + answer);
    }
    boolean isAble =
        Integer.parseInt(version.group(1)) > 1 || Integer.parseInt(version.group(2)) >= 21;
    return isAble ? "max_prepared_statements = 0" : "";
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitAnswer() throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try (Connection connection = dataSource().getConnection()) {
        connection.createStatement().execute("select 1");
        return;
      } catch (SQLException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          String log = Files.readString(directory.resolve("log"));
          close();
          throw new IllegalStateException("pgbouncer does not answer: " + log, e);
        }
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }
}
