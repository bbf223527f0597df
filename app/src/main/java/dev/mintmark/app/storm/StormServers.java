package dev.mintmark.app.storm;

import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.embedded.StartupException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * The instances of a storm as separate server processes, which share a database and answer over
 * HTTP: {@linkplain StormServer Mintmark's} or {@linkplain RivalServer those of a rival}. They end
 * with this process. For one thread.
 */
final class StormServers implements CloseAtExit.Resource {
  private static final long STOP_SECONDS_MAX = 10;

  /** Options similar to {@code ./mintmark serve}; one compiler, because all start at once. */
  private static final List<String> JAVA_OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx256m",
          "-Xss512k",
          "-Xshare:auto",
          "-XX:-UsePerfData",
          // For the HTTP server of the JDK: it writes the head and the body of an answer one after
          // the other, and Nagle's algorithm delays the second by 40 ms.
          "-Dsun.net.httpserver.nodelay=true",
          "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));

  /** What the launcher adds for an archive, which Java refuses if one of these is missing. */
  private static final List<String> ARCHIVE_OPTIONS =
      List.of(
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:ArchiveRelocationMode=",
          "-XX:-BytecodeVerificationRemote",
          "-XX:SharedArchiveFile=",
          "-XX:AOTCache=",
          "-Xlog:");

  private final List<Child> children = new ArrayList<>();
  private List<URI> addresses = List.of();

  private StormServers() {}

  /** A server process and its pipes. */
  private record Child(Process process, PrintWriter questions, BufferedReader answers) {
    String answer() {
      try {
        return Optional.ofNullable(answers.readLine())
            .orElseThrow(() -> new StartupException("a server of the storm has ended: " + process));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void ask(String question) {
      questions.println(question);
    }
  }

  /**
   * Starts the servers. They accept requests once {@link #await} returns.
   *
   * @param program the main class and the arguments of each server, by its number from 0
   * @throws StartupException if one cannot be started
   */
  static StormServers start(
      int processes, IntFunction<List<String>> program, DatabaseAddress database) {
    StormServers servers = new StormServers();
    try {
      for (int i = 0; i < processes; i++) {
        servers.children.add(startOne(program.apply(i), database));
      }
    } catch (IOException e) {
      servers.close();
      throw new StartupException("cannot start a server process: " + e.getMessage(), e);
    }
    return servers;
  }

  private static Child startOne(List<String> program, DatabaseAddress database) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JAVA_OPTIONS);
    command.addAll(classArchive());
    command.addAll(program);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    // Not as an argument: it would make the list of processes unreadable.
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = builder.start();
    Child child =
        new Child(
            process,
            new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true),
            process.inputReader(StandardCharsets.UTF_8));
    // Not as arguments: other users can read those.
    child.ask(database.jdbcUrl());
    child.ask(database.user().orElse(""));
    child.ask(database.password().orElse(""));
    return child;
  }

  /** The options with which the launcher gave this process an archive of the same class path. */
  private static List<String> classArchive() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> ARCHIVE_OPTIONS.stream().anyMatch(option::startsWith))
        .toList();
  }

  /** Waits until all accept requests. */
  void await() {
    addresses =
        children.stream()
            .map(child -> URI.create("http://127.0.0.1:" + child.answer() + "/"))
            .toList();
  }

  /** Returns the addresses of those that accept requests. */
  List<URI> addresses() {
    return addresses;
  }

  /** Prepares them for the clients of a storm. The effort is counted from here. */
  void begin(Storm storm) {
    ask(StormPipe.begin(storm));
  }

  /** Returns the statements that they have sent to the database for the storm so far. */
  Storm.Effort effort() {
    return Storm.Effort.sum(ask(StormPipe.EFFORT).stream().map(StormPipe::effort).toList());
  }

  private List<String> ask(String line) {
    children.forEach(child -> child.ask(line));
    return children.stream().map(Child::answer).toList();
  }

  @Override
  public void close() {
    children.forEach(child -> child.questions.close());
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS_MAX);
    for (Child child : children) {
      try {
        if (!child.process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          child.process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        child.process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
