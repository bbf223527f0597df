package dev.mintmark.verify;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

  /**
   * Those that commands have left behind. A launcher is none of them: after its command has ended,
   * it may still make the class-data archive, with the command line that it was started with.
   */
  static List<ProcessHandle> leftIn(Path directory) {
    return in(directory).stream().filter(process -> !isLauncher(process)).toList();
  }

  /** Those of a directory with their children, and so on: sessions of PostgreSQL among them. */
  static List<ProcessHandle> familyIn(Path directory) {
    return in(directory).stream()
        .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
        .distinct()
        .toList();
  }

  /** Kills all processes of a directory and their children, also those that are halted. */
  static void killAll(Path directory) {
    List<ProcessHandle> killed = new ArrayList<>();
    Eventually.present(
        Patience.MAX,
        () -> {
          // One that starts others, or starts them again, may have done so meanwhile.
          List<ProcessHandle> alive = familyIn(directory);
          alive.forEach(ProcessHandle::destroyForcibly);
          killed.addAll(alive);
          return alive.isEmpty() && killed.stream().noneMatch(Processes::runs)
              ? Optional.of(true)
              : Optional.empty();
        });
  }

  /** Whether it runs or is halted: what is over may be listed until its parent asks for it. */
  static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  /**
   * The PostgreSQL that runs on a data directory, without its children: one that has just been
   * forked still has the command line of its parent.
   */
  static ProcessHandle postmaster(Path data) {
    List<ProcessHandle> all =
        in(data).stream()
            .filter(process -> process.info().command().orElse("").endsWith("/postgres"))
            .toList();
    List<ProcessHandle> postmasters =
        all.stream().filter(process -> process.parent().filter(all::contains).isEmpty()).toList();
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
    halt(all);
    return all;
  }

  /** Halts all processes of a directory and their children: those that start others first. */
  static void haltAll(Path directory) {
    halt(in(directory));
    halt(familyIn(directory));
  }

  /** What a process shows as its command line, as PostgreSQL's do with what they are for. */
  static String title(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException e) {
      return "";
    }
  }

  /** Halts processes. */
  static void halt(List<ProcessHandle> processes) {
    processes.forEach(process -> signal(process.pid(), "STOP"));
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

  /** The shell that runs the script {@code mintmark}. */
  private static boolean isLauncher(ProcessHandle process) {
    return process
        .info()
        .arguments()
        .map(arguments -> arguments.length > 0 && arguments[0].endsWith("/mintmark"))
        .orElse(false);
  }

  private static boolean names(ProcessHandle process, Path directory) {
    return process
        .info()
        .arguments()
        .map(arguments -> Arrays.stream(arguments).anyMatch(a -> a.contains(directory.toString())))
        .orElse(false);
  }
}
