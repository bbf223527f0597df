package dev.mintmark.verify;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The processes of this machine. */
final class Processes {
  private Processes() {}

  /**
   * Those whose command line names a path in a directory, such as the PostgreSQL that runs on it.
   */
  static List<ProcessHandle> in(Path directory) {
    return ProcessHandle.allProcesses().filter(process -> names(process, directory)).toList();
  }

  /** The PostgreSQL that runs on a data directory, without its children. */
  static ProcessHandle postmaster(Path data) {
    List<ProcessHandle> postmasters =
        in(data).stream()
            .filter(process -> process.info().command().orElse("").endsWith("/postgres"))
            .toList();
    if (postmasters.size() != 1) {
      throw new AssertionError("expected one PostgreSQL in " + data + ": " + postmasters);
    }
    return postmasters.get(0);
  }

  /** Kills the PostgreSQL of a data directory; when this returns none of its processes is left. */
  static void crashPostgres(Path data) {
    ProcessHandle postmaster = postmaster(data);
    List<ProcessHandle> backends = postmaster.descendants().toList();
    postmaster.destroyForcibly();
    backends.forEach(
        backend -> backend.onExit().orTimeout(Patience.MAX.toSeconds(), SECONDS).join());
  }

  /** Halts the PostgreSQL of a data directory, so that it hangs, and returns its processes. */
  static List<ProcessHandle> haltPostgres(Path data) {
    ProcessHandle postmaster = postmaster(data);
    List<ProcessHandle> all =
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
    all.forEach(process -> signal(process.pid(), "STOP"));
    return all;
  }

  /** Lets processes that were halted continue. */
  static void resume(List<ProcessHandle> halted) {
    halted.forEach(process -> signal(process.pid(), "CONT"));
  }

  /** Sends a signal: {@code INT} is Ctrl-C. */
  static void signal(long pid, String name) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean names(ProcessHandle process, Path directory) {
    return process
        .info()
        .arguments()
        .map(arguments -> Arrays.stream(arguments).anyMatch(a -> a.contains(directory.toString())))
        .orElse(false);
  }
}
