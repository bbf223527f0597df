package dev.mintmark.app.storm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The processor time of a PostgreSQL on this machine, from the process table of Linux: the sum over
 * the postmaster, its running children and those that have ended. Empty on other systems.
 */
final class DatabaseProcessor {
  private static final Path PROCESSES = Path.of("/proc");

  /** {@code USER_HZ}, which is 100 on every architecture that the JDK runs on. */
  private static final long MILLIS_A_TICK = 10;

  /** Columns of {@code /proc/PID/stat} after the name, which may contain blanks (proc(5)). */
  private static final int PARENT = 1;

  private static final int ENDED_USER = 13;
  private static final int ENDED_SYSTEM = 14;

  private static final double NANOS_A_MILLI = 1e6;

  private final OptionalLong postmaster;

  private DatabaseProcessor(OptionalLong postmaster) {
    this.postmaster = postmaster;
  }

  /**
   * Finds the postmaster of a connection. If the database runs on another machine, a local process
   * with the same number lacks our client port in its title.
   */
  static DatabaseProcessor of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet backend =
            statement.executeQuery("select pg_backend_pid(), coalesce(inet_client_port(), -1)")) {
      backend.next();
      Path process = PROCESSES.resolve(Long.toString(backend.getLong(1)));
      String title = text(process.resolve("cmdline")).orElse("");
      boolean isOurs =
          title.startsWith("postgres: ") && title.contains("(" + backend.getInt(2) + ")");
      return new DatabaseProcessor(isOurs ? column(process, PARENT) : OptionalLong.empty());
    }
  }

  /** Milliseconds since the database was started. */
  OptionalLong millis() {
    if (postmaster.isEmpty()) {
      return OptionalLong.empty();
    }
    long parent = postmaster.getAsLong();
    Path process = PROCESSES.resolve(Long.toString(parent));
    OptionalLong user = column(process, ENDED_USER);
    OptionalLong system = column(process, ENDED_SYSTEM);
    if (user.isEmpty() || system.isEmpty()) {
      return OptionalLong.empty();
    }
    double live = nanos(process) / NANOS_A_MILLI;
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      for (Path other : processes) {
        OptionalLong itsParent = column(other, PARENT);
        if (itsParent.isPresent() && itsParent.getAsLong() == parent) {
          live += nanos(other) / NANOS_A_MILLI;
        }
      }
    } catch (IOException e) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        Math.round(live) + (user.getAsLong() + system.getAsLong()) * MILLIS_A_TICK);
  }

  /** The processor time of a process; 0 if it has just ended. */
  private static long nanos(Path process) {
    return text(process.resolve("schedstat"))
        .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
        .orElse(0L);
  }

  private static OptionalLong column(Path process, int number) {
    Optional<String> stat = text(process.resolve("stat"));
    if (stat.isEmpty()) {
      return OptionalLong.empty();
    }
    String afterName = stat.get().substring(stat.get().lastIndexOf(')') + 1).strip();
    return OptionalLong.of(Long.parseLong(afterName.split(" ", -1)[number]));
  }

  private static Optional<String> text(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
          .filter(text -> !text.isBlank());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
