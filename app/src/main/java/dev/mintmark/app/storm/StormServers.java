package dev.mintmark.app.storm;

import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.embedded.StartupException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The instances of a storm as separate server processes, which share a database and answer over
 * HTTP. They end with this process.
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
          "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));

  private final List<Child> children = new ArrayList<>();

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
   * Starts the servers. They accept requests once {@link #addresses} returns.
   *
   * @throws StartupException if one cannot be started
   */
  static StormServers start(int processes, DatabaseAddress database) {
    StormServers servers = new StormServers();
    try {
      for (int i = 0; i < processes; i++) {
        servers.children.add(startOne(database));
      }
      return servers;
    } catch (IOException e) {
      servers.close();
      throw new StartupException("cannot start a server process: " + e.getMessage(), e);
    }
  }

  private static Child startOne(DatabaseAddress database) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JAVA_OPTIONS);
    command.add(StormServer.class.getName());
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

  /** Returns their addresses. Waits until all listen. */
  List<URI> addresses() {
    return children.stream()
        .map(child -> URI.create("http://127.0.0.1:" + child.answer() + "/"))
        .toList();
  }

  /** Returns the number of statements that they have sent to the database so far. */
  long statements() {
    children.forEach(child -> child.ask("statements"));
    return children.stream().mapToLong(child -> Long.parseLong(child.answer())).sum();
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
