package dev.mintmark.verify;

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

  private static boolean names(ProcessHandle process, Path directory) {
    return process
        .info()
        .arguments()
        .map(arguments -> Arrays.stream(arguments).anyMatch(a -> a.contains(directory.toString())))
        .orElse(false);
  }
}
