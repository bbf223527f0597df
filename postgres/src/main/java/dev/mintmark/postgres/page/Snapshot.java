package dev.mintmark.postgres.page;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A {@code pg_snapshot} of PostgreSQL. The transactions below {@code xmin} have ended, and those
 * below {@code xmax} that are not {@code running}.
 *
 * @param running the ids of the open transactions below {@code xmax}, in ascending order
 */
record Snapshot(long xmin, long xmax, List<Long> running) {
  /** The snapshot in which no transaction has ended. */
  static final Snapshot NOTHING = new Snapshot(1, 1, List.of());

  /** Reads the text of a {@code pg_snapshot}: {@code 10:20:10,14,15}. */
  static Snapshot parse(String text) {
    String[] parts = text.split(":", -1);
    List<Long> running =
        parts[2].isEmpty()
            ? List.of()
            : Arrays.stream(parts[2].split(",", -1)).map(Long::valueOf).toList();
    return new Snapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), running);
  }

  /** Returns the text of a {@code pg_snapshot}. */
  @Override
  public String toString() {
    return running.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(",", xmin + ":" + xmax + ":", ""));
  }
}
