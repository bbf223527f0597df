package dev.mintmark.verify;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A PgBouncer in transaction mode before a database, which it logs in to by itself. Where none is
 * installed, the test that asks for one is skipped with a loud line, and fails where {@code
 * CI=true}.
 */
final class PgBouncer implements AutoCloseable {

  /** Where it is; users who are not root lack these in their {@code PATH}. */
  private static final List<String> DIRECTORIES =
      List.of("/usr/sbin", "/usr/local/sbin", "/usr/bin", "/opt/homebrew/bin");

  private final Process process;
  private final int port;

  private PgBouncer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one.
   *
   * @param directory where it keeps its files
   * @param host where the database listens
   * @param name the database's name
   */
  static PgBouncer before(
      Path directory, String host, int databasePort, String name, String user, String password) {
    Optional<Path> program =
        DIRECTORIES.stream()
            .map(where -> Path.of(where, "pgbouncer"))
            .filter(Files::isExecutable)
            .findFirst();
    if (program.isEmpty() && "true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("a pooler cannot be tested: no pgbouncer");
    }
    if (program.isEmpty()) {
      System.err.println("NOT TESTED: serving through a pooler: no pgbouncer is installed");
    }
    assumeTrue(program.isPresent());
    try {
      int port = Ports.free();
      // Root's pgbouncer becomes nobody, who has to read this.
      Path ini = Files.createTempFile("pgbouncer", ".ini");
      Files.setPosixFilePermissions(ini, PosixFilePermissions.fromString("rw-r--r--"));
      Files.writeString(
          ini,
          """
          [databases]
          %s = host=%s port=%d user=%s password=%s
          [pgbouncer]
          listen_addr = 127.0.0.1
          listen_port = %d
          unix_socket_dir =
          auth_type = any
          pool_mode = transaction
          default_pool_size = 3
          max_client_conn = 100
          """
              .formatted(name, host, databasePort, user, password, port));
      List<String> command = new ArrayList<>(List.of(program.get().toString(), ini.toString()));
      if ("root".equals(System.getProperty("user.name"))) {
        command.addAll(1, List.of("-u", "nobody"));
      }
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("pgbouncer.log").toFile())
              .start();
      PgBouncer started = new PgBouncer(process, port);
      Eventually.present(Patience.MAX, started::answer);
      Files.delete(ini);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  private Optional<Boolean> answer() {
    if (!process.isAlive()) {
      throw new AssertionError("pgbouncer has ended");
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return Optional.of(socket.isConnected());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
