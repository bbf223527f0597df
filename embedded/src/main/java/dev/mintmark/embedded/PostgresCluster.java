package dev.mintmark.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A PostgreSQL cluster on disk and the processes that run on it, including those that a killed
 * mintmark process left running.
 *
 * <p>A process belongs to the cluster if its command line names the directory. A pid in a file does
 * not prove that, because the operating system reuses pids.
 */
final class PostgresCluster {
  /** A start after a crash replays the write-ahead log, which takes minutes on a slow disk. */
  private static final Duration START_MAX = Duration.ofMinutes(10);

  /** A fast shutdown writes all shared buffers. */
  private static final Duration STOP_MAX = Duration.ofSeconds(20);

  private static final Duration KILL_MAX = Duration.ofSeconds(5);
  private static final int POLL_MILLIS = 20;

  /** Another process may take the chosen port before PostgreSQL uses it. */
  private static final int PORTS_TRIED = 3;

  private static final Set<String> PROGRAMS = Set.of("postgres", "initdb", "pg_ctl");

  private final Path directory;
  private final Path log;

  PostgresCluster(Path directory, Path log) {
    this.directory = directory;
    this.log = log;
  }

  /**
   * Creates the files of the cluster, with one superuser.
   *
   * @param options additional options of initdb
   * @throws StartupException if initdb fails; files may remain
   */
  void initialise(
      PostgresBinaries binaries, String superuser, Path passwordFile, List<String> options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--pgdata=" + directory,
                "--username=" + superuser,
                "--pwfile=" + passwordFile,
                "--auth-host=scram-sha-256",
                "--auth-local=scram-sha-256",
                "--encoding=UTF8",
                // The order of text must not depend on the locales that are installed.
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                "--no-instructions"));
    arguments.addAll(options);
    long logEnd = logSize();
    if (run(binaries.command("initdb", arguments)) != 0) {
      throw new StartupException(
          "PostgreSQL could not create %s: %s (see %s)"
              .formatted(directory, lastError(logEnd), log));
    }
  }

  /**
   * Starts PostgreSQL and returns its port on 127.0.0.1 when it accepts connections.
   *
   * @throws StartupException if it does not accept connections within ten minutes
   */
  int start(PostgresBinaries binaries, Map<String, String> settings) {
    String error = "";
    for (int attempt = 1; attempt <= PORTS_TRIED; attempt++) {
      int port = freePort();
      long logEnd = logSize();
      if (run(binaries.command("pg_ctl", startArguments(port, settings))) == 0) {
        return port;
      }
      error = lastError(logEnd);
      if (!error.contains("could not create any TCP/IP sockets")) {
        break;
      }
    }
    throw new StartupException(
        "PostgreSQL did not start on %s: %s (see %s)".formatted(directory, error, log));
  }

  /** Returns the port of the cluster's PostgreSQL if it runs and accepts connections. */
  OptionalInt port() {
    List<String> lines = pidFile();
    boolean ready = lines.size() >= 8 && lines.get(7).strip().equals("ready");
    return ready && isRunning()
        ? OptionalInt.of(Integer.parseInt(lines.get(3)))
        : OptionalInt.empty();
  }

  /**
   * Ends all processes of the cluster, also those that another process started. Clients are
   * disconnected, and open transactions are rolled back.
   *
   * @throws StartupException if a process does not end
   */
  void stop() {
    List<ProcessHandle> processes = processes();
    processes.stream().filter(process -> !runs(process, "postgres")).forEach(this::kill);
    processes.stream().filter(process -> runs(process, "postgres")).forEach(this::shutDown);
    if (isRunning()) {
      throw new StartupException("PostgreSQL did not stop on " + directory);
    }
    replaceReusedPid();
  }

  private List<String> startArguments(int port, Map<String, String> settings) {
    StringBuilder options = new StringBuilder("-p ").append(port);
    settings.forEach(
        (name, value) -> options.append(" -c ").append(name).append('=').append(value));
    return List.of(
        "start",
        "-D",
        directory.toString(),
        "-l",
        log.toString(),
        "-w",
        "-t",
        Long.toString(START_MAX.toSeconds()),
        "-o",
        options.toString());
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw StartupException.because("no port is free", e);
    }
  }

  /** Runs a program to its end. Its output is appended to the log of the server. */
  private int run(List<String> command) {
    ProcessBuilder program = new ProcessBuilder(command);
    program.environment().keySet().removeIf(name -> name.startsWith("PG"));
    program.environment().put("LC_ALL", "C");
    program.redirectErrorStream(true);
    program.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    try {
      return program.start().waitFor();
    } catch (IOException e) {
      throw StartupException.because("cannot run " + command.get(0), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartupException("interrupted while waiting for PostgreSQL");
    }
  }

  private void shutDown(ProcessHandle postmaster) {
    interrupt(postmaster);
    if (!waitFor(postmaster, STOP_MAX)) {
      kill(postmaster);
    }
  }

  /** Requests a fast shutdown with SIGINT. The JDK can send only SIGTERM and SIGKILL. */
  private static void interrupt(ProcessHandle postmaster) {
    try {
      new ProcessBuilder("kill", "-INT", Long.toString(postmaster.pid()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw StartupException.because("cannot run kill", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartupException("interrupted while stopping PostgreSQL");
    }
  }

  /** Kills a process and its children: a backend can continue to run without its postmaster. */
  private void kill(ProcessHandle process) {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    waitFor(process, KILL_MAX);
  }

  /** Waits until the process has ended. A process that is dead but not reaped has no command. */
  private boolean waitFor(ProcessHandle process, Duration max) {
    long start = System.nanoTime();
    while (isOurs(process)) {
      if (System.nanoTime() - start > max.toNanos()) {
        return false;
      }
      PollDelay.sleepMillis(POLL_MILLIS);
    }
    return true;
  }

  private boolean isRunning() {
    return ProcessHandle.allProcesses().anyMatch(this::isOurs);
  }

  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses().filter(this::isOurs).toList();
  }

  private boolean isOurs(ProcessHandle process) {
    Predicate<String> namesCluster =
        argument ->
            argument.equals(directory.toString()) || argument.equals("--pgdata=" + directory);
    return PROGRAMS.stream().anyMatch(program -> runs(process, program))
        && process
            .info()
            .arguments()
            .map(arguments -> Arrays.stream(arguments).anyMatch(namesCluster))
            .orElse(false);
  }

  /** Linux appends {@code (deleted)} to the name of a program whose file was deleted. */
  private static boolean runs(ProcessHandle process, String program) {
    return process
        .info()
        .command()
        .map(command -> command.replaceFirst(" \\(deleted\\)$", "").endsWith("/" + program))
        .orElse(false);
  }

  /**
   * Replaces the pid in {@code postmaster.pid} if another process has it now. Otherwise PostgreSQL
   * would take that process for an earlier server of the cluster and not start. The new pid is that
   * of this process, which PostgreSQL recognises as its grandparent and ignores. The file is not
   * deleted, because with its other lines PostgreSQL finds shared memory that is still in use.
   */
  private void replaceReusedPid() {
    List<String> lines = new ArrayList<>(pidFile());
    if (lines.isEmpty() || !lines.get(0).matches("[1-9][0-9]{0,9}")) {
      return;
    }
    if (ProcessHandle.of(Long.parseLong(lines.get(0))).isPresent()) {
      lines.set(0, Long.toString(ProcessHandle.current().pid()));
      try {
        Files.write(directory.resolve("postmaster.pid"), lines);
      } catch (IOException e) {
        throw StartupException.because("cannot write to " + directory, e);
      }
    }
  }

  private List<String> pidFile() {
    Path file = directory.resolve("postmaster.pid");
    try {
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      throw StartupException.because("cannot read " + file, e);
    }
  }

  private long logSize() {
    try {
      return Files.exists(log) ? Files.size(log) : 0;
    } catch (IOException e) {
      throw StartupException.because("cannot read " + log, e);
    }
  }

  /** Returns the last error in the log since {@code start}, or its last line. */
  private String lastError(long start) {
    try {
      String text = Files.readString(log, StandardCharsets.ISO_8859_1);
      List<String> lines =
          text.substring((int) Math.min(start, text.length()))
              .lines()
              .filter(s -> !s.isBlank())
              .toList();
      return lines.stream()
          .filter(line -> line.matches(".*(FATAL|PANIC|[Ee]rror): .*"))
          .reduce((earlier, later) -> later)
          .or(() -> lines.stream().reduce((earlier, later) -> later))
          .map(line -> line.replaceFirst("^.*?(FATAL|PANIC|[Ee]rror): +", ""))
          .orElse("its log has no message");
    } catch (IOException e) {
      return "its log cannot be read";
    }
  }
}
