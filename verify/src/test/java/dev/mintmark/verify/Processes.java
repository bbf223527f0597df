package dev.mintmark.verify;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.mintmark.fixtures.Patience;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

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

  private static boolean names(ProcessHandle process, Path directory) {
    return process
        .info()
        .arguments()
        .map(arguments -> Arrays.stream(arguments).anyMatch(a -> a.contains(directory.toString())))
        .orElse(false);
  }
}
