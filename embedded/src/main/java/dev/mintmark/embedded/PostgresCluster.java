package dev.mintmark.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL cluster on disk and the processes that run on it, including those that a killed
 * mintmark process left running.
 *
 * <p>A process belongs to the cluster if its command line names the directory, and it works in it.
 * A pid in a file does not prove that, because the operating system reuses pids. The name does not
 * prove it either: a directory that was moved while its PostgreSQL runs, or one of a container, had
 * or has the same name.
 */
final class PostgresCluster {
  /** A start after a crash replays the write-ahead log, which takes minutes on a slow disk. */
  private static final Duration START_MAX = Duration.ofMinutes(10);

  /** A fast shutdown writes all shared buffers. */
  private static final Duration STOP_MAX = Duration.ofSeconds(20);

  /**
   * The variables that programs inherit. Others could contain secrets, such as a keyring. A
   * preloaded nss_wrapper gives a user of a container the name that PostgreSQL requires.
   */
  private static final Set<String> INHERITED =
      Set.of("PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "NSS_WRAPPER_PASSWD", "NSS_WRAPPER_GROUP");

  /** The first line of postmaster.pid. */
  private static final Pattern PID = Pattern.compile("[1-9][0-9]{0,9}");

  private static final Path NO_INPUT = Path.of("/dev/null");

  /** The number of bytes at the end of the log in which an error is looked for. */
  private static final int ERROR_BYTES_MAX = 1 << 16;

  private static final Duration KILL_MAX = Duration.ofSeconds(5);
  private static final int POLL_MILLIS = 20;

  /** Another process may take the chosen port before PostgreSQL uses it. */
  private static final int PORTS_TRIED = 3;

  /** How long a start waits for processes that have outlived a postmaster that was killed. */
  private static final Duration ORPHANS_MAX = Duration.ofMinutes(1);

  private static final Set<String> PROGRAMS = Set.of("postgres", "initdb", "pg_ctl");

  /** Programs that run in the place of ours for a moment, before they execute them. */
  private static final Set<String> LAUNCHERS = Set.of("setpriv", "unshare");

  /** Rounds of {@link #stop}: each ends what the one before did not see. */
  private static final int STOP_ROUNDS = 5;

  /**
   * A setting that PostgreSQL ignores. It names the directory in the command line of a process that
   * knows its directory as {@value ServerUser#WORKING_DIRECTORY}.
   */
  private static final String MARKER = "mintmark.directory=";

  private final Path directory;
  private final Path log;
  private boolean aborted;

  /** The key of the directory since a program was started in it: another may have its name now. */
  private volatile @Nullable Object startedIn;

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
  void initialise(ServerUser user, String superuser, Path passwordFile, List<String> options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--pgdata=" + user.nameOf(directory),
                "--username=" + superuser,
                "--pwfile=" + (user.isSeparate() ? "/proc/self/fd/0" : passwordFile),
                "--auth-host=scram-sha-256",
                "--auth-local=scram-sha-256",
                "--encoding=UTF8",
                // The order of text must not depend on the locales that are installed.
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                "--no-instructions"));
    if (user.isSeparate()) {
      arguments.add("--set=" + MARKER + directory);
    }
    arguments.addAll(options);
    long logEnd = logSize();
    try {
      user.create(directory);
      user.lend(passwordFile, true);
      int status = run(user.command("initdb", arguments), passwordFile);
      user.lend(passwordFile, false);
      if (status == 0) {
        return;
      }
    } catch (IOException e) {
      throw StartupException.because("cannot create " + directory, e);
    }
    throw new StartupException(
        "PostgreSQL could not create %s: %s (see %s)".formatted(directory, lastError(logEnd), log));
  }

  /**
   * Starts PostgreSQL and returns its port on 127.0.0.1 when it accepts connections. If the
   * postmaster before was killed, its other processes end when they notice that; until then, at
   * most for a minute, the start is repeated.
   *
   * @throws StartupException if it does not accept connections within ten minutes
   */
  int start(ServerUser user, Map<String, String> settings) {
    long begunNanos = System.nanoTime();
    int portsTried = 0;
    String error;
    boolean isRepeated;
    do {
      int port = freePort();
      long logEnd = logSize();
      List<String> command = user.command("pg_ctl", startArguments(user, port, settings));
      if (run(command, NO_INPUT) == 0) {
        return port;
      }
      error = lastError(logEnd);
      if (error.contains("could not create any TCP/IP sockets")) {
        portsTried++;
        isRepeated = portsTried < PORTS_TRIED;
      } else {
        isRepeated =
            error.contains("pre-existing shared memory block")
                && System.nanoTime() - begunNanos < ORPHANS_MAX.toNanos();
        PollDelay.sleepMillis(POLL_MILLIS);
      }
    } while (isRepeated);
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

  /** Returns the first process of the PostgreSQL that {@link #start} has started. */
  Optional<Postmaster> postmaster() {
    return pidFile().stream()
        .findFirst()
        .filter(PID.asMatchPredicate())
        .flatMap(pid -> Postmaster.find(Long.parseLong(pid)));
  }

  /**
   * Ends all processes of the cluster, also those that another process started. Clients are
   * disconnected, and open transactions are rolled back. An interrupt of the thread does not end
   * that, and stays set.
   *
   * @throws StartupException if a process does not end
   */
  void stop() {
    List<ProcessHandle> processes = processes();
    for (int round = 1; !processes.isEmpty() && round <= STOP_ROUNDS; round++) {
      processes.stream().filter(process -> !runs(process, "postgres")).forEach(this::kill);
      processes.stream().filter(process -> runs(process, "postgres")).forEach(this::shutDown);
      processes = processes();
    }
    if (!processes.isEmpty()) {
      throw new StartupException("PostgreSQL did not stop on " + directory);
    }
    if (keyOf(directory).equals(key())) {
      replaceReusedPid();
    }
  }

  /**
   * Ends a start that another thread has begun, and all processes of the cluster. Nothing can be
   * started after this.
   *
   * @throws StartupException if a process does not end
   */
  void abort() {
    synchronized (this) {
      aborted = true;
    }
    stop();
  }

  private List<String> startArguments(ServerUser user, int port, Map<String, String> settings) {
    StringBuilder options = new StringBuilder("-p ").append(port);
    settings.forEach(
        (name, value) -> options.append(" -c ").append(name).append('=').append(value));
    if (user.isSeparate()) {
      options.append(" -c \"").append(MARKER).append(directory).append('"');
    }
    return List.of(
        "start",
        "-D",
        user.nameOf(directory),
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

  /**
   * Runs a program to its end, in the directory of the cluster. Its output, and that of the server
   * that it starts, is appended to the log.
   */
  private int run(List<String> command, Path input) {
    ProcessBuilder program = new ProcessBuilder(command);
    program.environment().keySet().retainAll(INHERITED);
    program.environment().put("LC_ALL", "C");
    program.directory(directory.toFile());
    program.redirectInput(input.toFile());
    program.redirectErrorStream(true);
    program.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    startedIn = key().orElse(null);
    try {
      int status = startUnlessAborted(program).waitFor();
      synchronized (this) {
        if (aborted) {
          throw stoppedWhileStarting();
        }
      }
      return status;
    } catch (IOException e) {
      throw StartupException.because("cannot run " + command.get(0), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartupException("interrupted while waiting for PostgreSQL");
    }
  }

  private synchronized Process startUnlessAborted(ProcessBuilder program) throws IOException {
    if (aborted) {
      throw stoppedWhileStarting();
    }
    return program.start();
  }

  private StartupException stoppedWhileStarting() {
    return new StartupException("PostgreSQL was stopped while it was starting on " + directory);
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
          .onExit()
          .join();
    } catch (IOException e) {
      throw StartupException.because("cannot run kill", e);
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
    boolean interrupted = false;
    try {
      long start = System.nanoTime();
      while (isOurs(process)) {
        if (System.nanoTime() - start > max.toNanos()) {
          return false;
        }
        interrupted |= !PollDelay.trySleepMillis(POLL_MILLIS);
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isRunning() {
    return ProcessHandle.allProcesses().anyMatch(this::isOurs);
  }

  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses().filter(this::isOurs).toList();
  }

  private boolean isOurs(ProcessHandle process) {
    List<String> words = words(process);
    if (words.isEmpty()) {
      return false;
    }
    String program = program(words);
    boolean namesCluster =
        (PROGRAMS.contains(program) || LAUNCHERS.contains(program))
            ? words.stream().anyMatch(this::namesCluster)
            : program.endsWith("sh") && words.stream().anyMatch(this::isServerScript);
    return namesCluster && worksHere(process);
  }

  /**
   * Whether a process works in the directory, as all do that are started for it. Only Linux says
   * that, and of a process of another user only to root with CAP_SYS_PTRACE; otherwise its command
   * line decides.
   */
  private boolean worksHere(ProcessHandle process) {
    Optional<Object> workingDirectory =
        keyOf(Path.of("/proc", Long.toString(process.pid()), "cwd"));
    return workingDirectory.isEmpty() || workingDirectory.equals(key());
  }

  /** Returns the key of the directory of the processes; empty if it does not exist. */
  private Optional<Object> key() {
    return Optional.ofNullable(startedIn).or(() -> keyOf(directory));
  }

  /** Returns what identifies a directory whatever its name is; empty if it cannot be read. */
  private static Optional<Object> keyOf(Path directory) {
    try {
      return Optional.ofNullable(
          Files.readAttributes(directory, BasicFileAttributes.class).fileKey());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private boolean namesCluster(String word) {
    return word.equals(directory.toString())
        || word.equals("--pgdata=" + directory)
        || word.equals(MARKER + directory)
        || word.equals("--set=" + MARKER + directory)
        || word.contains('"' + MARKER + directory + '"');
  }

  /** Whether a word is the command with which pg_ctl lets a shell start the server. */
  private boolean isServerScript(String word) {
    return word.startsWith("exec \"")
        && word.contains("/postgres\" ")
        && (word.contains("-D \"" + directory + '"')
            || word.contains('"' + MARKER + directory + '"'));
  }

  private static boolean runs(ProcessHandle process, String program) {
    List<String> words = words(process);
    return !words.isEmpty() && program(words).equals(program);
  }

  /** Linux appends {@code (deleted)} to the name of a program whose file was deleted. */
  private static String program(List<String> words) {
    String command = words.get(0).replaceFirst(" \\(deleted\\)$", "");
    return command.substring(command.lastIndexOf('/') + 1);
  }

  /**
   * Returns the program and the arguments of a process; empty if it has ended. The JDK cannot read
   * those of another user's process without a capability, but Linux shows its arguments.
   */
  private static List<String> words(ProcessHandle process) {
    ProcessHandle.Info info = process.info();
    if (info.command().isPresent() && info.arguments().isPresent()) {
      List<String> words = new ArrayList<>(List.of(info.command().get()));
      words.addAll(List.of(info.arguments().get()));
      return words;
    }
    Path commandLine = Path.of("/proc", Long.toString(process.pid()), "cmdline");
    try {
      String text = Files.readString(commandLine, StandardCharsets.UTF_8);
      return text.isEmpty() ? List.of() : List.of(text.split("\0", -1));
    } catch (IOException e) {
      return List.of();
    }
  }

  /**
   * Replaces the pid in {@code postmaster.pid} if another process has it now. Otherwise PostgreSQL
   * would take that process for an earlier server of the cluster and not start. The new pid is that
   * of this process, which PostgreSQL recognises as its grandparent and ignores. The file is not
   * deleted, because with its other lines PostgreSQL finds shared memory that is still in use.
   */
  private void replaceReusedPid() {
    List<String> lines = new ArrayList<>(pidFile());
    if (lines.isEmpty() || !PID.matcher(lines.get(0)).matches()) {
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

  /**
   * Returns the last error in the log since {@code start}, or its last line. Reads only the end of
   * the log, which has everything since the directory was set up.
   */
  String lastError(long start) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.max(start, file.length() - ERROR_BYTES_MAX));
      byte[] end = new byte[ERROR_BYTES_MAX];
      int length = Math.max(0, file.read(end));
      List<String> lines =
          new String(end, 0, length, StandardCharsets.ISO_8859_1)
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
