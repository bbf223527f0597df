package dev.mintmark.operations.migrate;

/**
 * The expected cost of a step, from what the server knows of the size of the table.
 *
 * @param rows rows that are read or written
 * @param walBytes bytes of write-ahead log
 * @param diskBytes additional bytes on disk, until the migration ends
 * @param seconds the duration at full pace on a server without other load
 */
public record Estimate(long rows, long walBytes, long diskBytes, long seconds) {
  /** The cost of a step that does not depend on the number of rows. */
  public static final Estimate NOTHING = new Estimate(0, 0, 0, 0);

  /**
   * Returns the least number of seconds at a pace, which limits the write-ahead log. Waits for
   * locks, standbys and transactions of others come on top.
   */
  public long secondsAt(Pace pace) {
    return Math.max(seconds, walBytes / pace.walBytesPerSecondMax());
  }

  /** Returns the sum. */
  public Estimate plus(Estimate other) {
    return new Estimate(
        rows + other.rows,
        walBytes + other.walBytes,
        diskBytes + other.diskBytes,
        seconds + other.seconds);
  }
}
