package dev.mintmark.verify;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./mintmark} of this checkout, run as its users run it: every call is a process of its own,
 * in a directory without a catalog and without any of our {@code PG*} variables. Temporary files go
 * to that directory too.
 */
final class Mintmark {
  private static final String JAVA_OPTIONS = "MINTMARK_JAVA_OPTS";

  /** Undoes what a shell does to a job in the background, whose children would ignore Ctrl-C. */
  private static final List<String> HEEDING_INTERRUPTS =
      List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec @ARGV or die", "--");

  /** Appends what stands in a file, each behind a NUL, to a command and runs it. */
  private static final String WITH_ARGUMENTS_FROM_STDIN =
      "args=(); while IFS= read -r -d '' arg; do args+=(\"$arg\"); done; exec \"$@\" \"${args[@]}\"";

  private final Path directory;
  private final Map<String, String> environment;

  /** The user that runs it, as the command that changes to that user; empty for our own. */
  private final List<String> user;

  /** How a process ended and what it said. */
  record Outcome(int status, String out, String err) {
    List<String> outLines() {
      return out.lines().toList();
    }

    List<String> errLines() {
      return err.lines().toList();
    }

    JsonNode json() {
      return JsonMapper.shared().readTree(out);
    }
  }

  /** A process with its output in files, so that nobody needs to read while it runs. */
  record Running(Process process, Path out, Path err) {
    String outSoFar() {
      return read(out);
    }

    String errSoFar() {
      return read(err);
    }

    Outcome await() {
      try {
        if (!process.waitFor(Patience.MAX.toSeconds(), SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError("still running: " + process.info() + "\n" + errSoFar());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
      assertThat(errSoFar()).as("the launcher").doesNotContain("mintmark: building");
      return new Outcome(process.exitValue(), outSoFar(), errSoFar());
    }
  }

  private Mintmark(Path directory, Map<String, String> environment, List<String> user) {
    this.directory = directory;
    this.environment = environment;
    this.user = user;
  }

  static Mintmark in(Path directory) {
    return new Mintmark(directory, Map.of(), List.of());
  }

  /** The same run by another user, who needs no name. Only root can do that. */
  Mintmark as(int uid) {
    return new Mintmark(
        directory,
        environment,
        List.of("setpriv", "--reuid=" + uid, "--regid=" + uid, "--clear-groups"));
  }

  /** The same with an environment variable besides. */
  Mintmark with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(environment);
    more.put(name, value);
    return new Mintmark(directory, more, user);
  }

  /**
   * The same for servers that are over soon: the second compiler, which the launcher lets them
   * have, would take half of the time that they need to start, and warming up takes 3 s more.
   */
  Mintmark overSoon() {
    return with(JAVA_OPTIONS, javaOptions() + " -XX:TieredStopAtLevel=1")
        .with("MINTMARK_SERVE_WARM_UP", "0s");
  }

  private String javaOptions() {
    return environment.getOrDefault(JAVA_OPTIONS, "-Djava.io.tmpdir=" + directory);
  }

  Outcome run(String... arguments) {
    return feed("", arguments);
  }

  /** Runs it with these lines, or whatever text, on its standard input. */
  Outcome feed(String stdin, String... arguments) {
    return launch(List.of(), stdin, arguments).await();
  }

  /**
   * Runs it with further arguments in UTF-8, whatever encoding Java takes for that of arguments.
   */
  Outcome runWith(List<String> further, String... arguments) {
    String stdin = String.join("", further.stream().map(argument -> argument + "\0").toList());
    return launch(List.of("bash", "-c", WITH_ARGUMENTS_FROM_STDIN, "bash"), stdin, arguments)
        .await();
  }

  /** Runs a line of shell, in which {@code $0} is the program. */
  Outcome shell(String line) {
    return startShell(line).await();
  }

  /** Starts a line of shell, as {@link #shell} runs it, and leaves it running. */
  Running startShell(String line) {
    return start(List.of("bash", "-o", "pipefail", "-c", line, Checkout.launcher().toString()), "");
  }

  /** Starts it and leaves it running. */
  Running start(String... arguments) {
    return launch(HEEDING_INTERRUPTS, "", arguments);
  }

  private Running launch(List<String> prefix, String stdin, String... arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(Checkout.launcher().toString());
    command.addAll(List.of(arguments));
    return start(command, stdin);
  }

  private Running start(List<String> command, String stdin) {
    try {
      Path in = Files.createTempFile(directory, "in-", ".txt");
      Path out = Files.createTempFile(directory, "out-", ".txt");
      Path err = Files.createTempFile(directory, "err-", ".txt");
      Files.writeString(in, stdin);
      ProcessBuilder builder =
          new ProcessBuilder(Stream.concat(user.stream(), command.stream()).toList())
              .directory(directory.toFile())
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
      builder.environment().put("LC_ALL", "C.UTF-8");
      // Most servers of tests are over soon.
      builder.environment().put("MINTMARK_SERVE_WARM_UP", "0s");
      builder.environment().putAll(environment);
      builder.environment().put(JAVA_OPTIONS, javaOptions());
      return new Running(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
