package dev.mintmark.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The first process of a PostgreSQL that runs. It is no child of this process, so nothing says when
 * it ends.
 *
 * <p>On Linux its state is read from proc(5), because the JDK returns a process as ended also if
 * this process has too many open files to read its state, and as alive if it has ended and its
 * parent, such as the first process of a container, does not ask for that.
 */
final class Postmaster {
  /** States of a process that has ended. */
  private static final Set<String> ENDED = Set.of("Z", "X");

  private final ProcessHandle process;

  /** When it was started, in the words of the system; empty if only the JDK knows its state. */
  private final Optional<String> started;

  private Postmaster(ProcessHandle process, Optional<String> started) {
    this.process = process;
    this.started = started;
  }

  /** Returns a process that runs; empty if none has this pid, or its state cannot be read. */
  static Optional<Postmaster> find(long pid) {
    Optional<ProcessHandle> process = ProcessHandle.of(pid);
    if (!Files.exists(stateOf(ProcessHandle.current().pid()))) {
      return process.map(running -> new Postmaster(running, Optional.empty()));
    }
    try {
      State state = State.read(pid);
      return process.map(running -> new Postmaster(running, Optional.of(state.started)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  long pid() {
    return process.pid();
  }

  /** Returns whether it has certainly ended. */
  boolean hasEnded() {
    if (started.isEmpty()) {
      return !process.isAlive();
    }
    try {
      State state = State.read(pid());
      return ENDED.contains(state.code) || !state.started.equals(started.get());
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static Path stateOf(long pid) {
    return Path.of("/proc", Long.toString(pid), "stat");
  }

  /** The fields of the state that matter here. */
  private record State(String code, String started) {
    /** The position of the time after the name of the program, which may contain blanks. */
    private static final int STARTED = 19;

    static State read(long pid) throws IOException {
      String text = Files.readString(stateOf(pid), StandardCharsets.ISO_8859_1);
      List<String> fields = List.of(text.substring(text.lastIndexOf(')') + 2).split(" ", -1));
      return new State(fields.get(0), fields.get(STARTED));
    }
  }
}
