package dev.mintmark.app.storm;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.app.database.DatabaseAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The pipes between {@link StormServers} and one of its processes, on the side of the process.
 *
 * <p>The first three lines of the input are the JDBC URL, the user and the password of the
 * database; the last two may be empty. The process answers with its port. Then it answers each
 * line:
 *
 * <pre>
 *   begin NAME CLIENTS INSTANCES IDLE BLOCK,BLOCK    begun
 *   effort                                           STATEMENTS RETRIES DEADLOCKS
 * </pre>
 *
 * The process ends when its input is closed, so it ends with its parent in any case. For one
 * thread.
 */
final class StormPipe {
  static final String EFFORT = "effort";

  private static final String BEGIN = "begin";
  private static final int BEGIN_FIELDS = 6;

  private final BufferedReader in;
  private final PrintStream out;

  StormPipe() {
    this.in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    this.out = System.out;
  }

  /** An instance of a storm in a process. */
  interface Instance {
    /** Prepares for the clients of a storm. The effort is counted from here. */
    void begin(Storm storm);

    /** Returns the statements for the clients of the storm so far. */
    Storm.Effort effort();
  }

  /** Reads the address of the database. */
  DatabaseAddress database() throws IOException {
    return new DatabaseAddress(required(), optional(), optional());
  }

  /** Announces the port, and answers for the instance until the parent closes the pipe. */
  void serve(int port, Instance instance) throws IOException {
    out.println(port);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.equals(EFFORT)) {
        out.println(line(instance.effort()));
      } else {
        instance.begin(begun(line));
        out.println("begun");
      }
    }
  }

  /** Returns the line that begins a storm. */
  static String begin(Storm storm) {
    return "%s %s %s %s %s %s"
        .formatted(
            BEGIN,
            storm.pool().name(),
            storm.clients(),
            storm.instances(),
            storm.idle(),
            storm.pool().blocks().stream().map(Block::toString).collect(Collectors.joining(",")));
  }

  /** Returns the storm that a line begins. */
  static Storm begun(String line) {
    String[] fields = line.split(" ", BEGIN_FIELDS);
    if (fields.length != BEGIN_FIELDS || !fields[0].equals(BEGIN)) {
      throw new IllegalArgumentException("expected begin or effort: " + Quoted.of(line));
    }
    return new Storm(
        PoolSpec.of(fields[1], Arrays.stream(fields[5].split(",", -1)).map(Block::parse).toList()),
        Integer.parseInt(fields[2]),
        Integer.parseInt(fields[3]),
        Integer.parseInt(fields[4]));
  }

  private static String line(Storm.Effort effort) {
    return effort.statements() + " " + effort.retries() + " " + effort.deadlocks();
  }

  /** Returns the effort that a line reports. */
  static Storm.Effort effort(String line) {
    String[] fields = line.split(" ", -1);
    return new Storm.Effort(
        Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]));
  }

  private Optional<String> optional() throws IOException {
    return Optional.of(required()).filter(line -> !line.isEmpty());
  }

  private String required() throws IOException {
    return Objects.requireNonNull(in.readLine(), "the parent process has ended");
  }
}
