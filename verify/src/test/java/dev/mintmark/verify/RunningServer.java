package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.HttpApi.Answer;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@code mintmark serve} that answers, as a process. Closing it asks it to stop. */
final class RunningServer implements AutoCloseable {
  private static final Pattern ANNOUNCEMENT =
      Pattern.compile("console (http://\\S+)\\Rdatabase (jdbc:\\S+)\\R");

  private final Mintmark.Running running;
  private final HttpApi http;
  private final String databaseUrl;

  private RunningServer(Mintmark.Running running, HttpApi http, String databaseUrl) {
    this.running = running;
    this.http = http;
    this.databaseUrl = databaseUrl;
  }

  /** Starts a server on a free port, on the embedded database of a directory. */
  static RunningServer start(Mintmark mintmark, Path data) {
    return start(mintmark, "--port", "0", "--data", data.toString());
  }

  /** The same with a catalog. */
  static RunningServer start(Mintmark mintmark, Path data, Path catalog) {
    return start(
        mintmark, "--port", "0", "--data", data.toString(), "--catalog", catalog.toString());
  }

  /** Starts a server that is over soon and waits until it says where it is. */
  static RunningServer start(Mintmark mintmark, String... options) {
    return startAsLaunched(mintmark.overSoon(), options);
  }

  /** Starts a server with just the options for Java that the launcher chooses for it. */
  static RunningServer startAsLaunched(Mintmark mintmark, String... options) {
    List<String> arguments = new ArrayList<>(List.of("serve"));
    arguments.addAll(Arrays.asList(options));
    Mintmark.Running running = mintmark.start(arguments.toArray(String[]::new));
    try {
      Matcher announced = Eventually.present(Patience.MAX, () -> announcement(running));
      return new RunningServer(
          running, new HttpApi(URI.create(announced.group(1))), announced.group(2));
    } catch (AssertionError e) {
      running.process().destroyForcibly();
      throw e;
    }
  }

  private static Optional<Matcher> announcement(Mintmark.Running running) {
    boolean alive = running.process().isAlive();
    Matcher matcher = ANNOUNCEMENT.matcher(running.outSoFar());
    if (matcher.matches()) {
      return Optional.of(matcher);
    }
    assertThat(alive).as(running.errSoFar()).isTrue();
    return Optional.empty();
  }

  HttpApi http() {
    return http;
  }

  URI console() {
    return http.base();
  }

  int port() {
    return http.base().getPort();
  }

  String databaseUrl() {
    return databaseUrl;
  }

  long pid() {
    return running.process().pid();
  }

  Answer get(String path) {
    return http.get(path);
  }

  /** Sends a signal: {@code INT} is Ctrl-C. */
  void signal(String name) {
    Processes.signal(pid(), name);
  }

  /** What it has said on stderr. */
  String errSoFar() {
    return running.errSoFar();
  }

  Outcome awaitEnd() {
    return running.await();
  }

  /** Resident memory as the kernel counts it; only on Linux. */
  long residentKiB() {
    try (var lines = Files.lines(Path.of("/proc/" + pid() + "/status"))) {
      String resident = lines.filter(line -> line.startsWith("VmRSS:")).findFirst().orElseThrow();
      return Long.parseLong(resident.replaceAll("\\D", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (running.process().isAlive()) {
      signal("TERM");
      awaitEnd();
    }
  }
}
