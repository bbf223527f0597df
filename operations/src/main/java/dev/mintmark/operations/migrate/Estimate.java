package dev.mintmark.operations.migrate;

/**
 * What a step is expected to cost, from what the server knows of the table's size.
 *
 * @param rows rows that are read or written
 * @param walBytes bytes of write-ahead log
 * @param diskBytes bytes that are taken, until the migration ends
 * @param seconds at full pace, without a load beside it
 */
public record Estimate(long rows, long walBytes, long diskBytes, long seconds) {
  /** Of what does not depend on the number of rows. */
  public static final Estimate NOTHING = new Estimate(0, 0, 0, 0);

  /** Both together. */
  public Estimate plus(Estimate other) {
    return new Estimate(
        rows + other.rows,
        walBytes + other.walBytes,
        diskBytes + other.diskBytes,
        seconds + other.seconds);
  }
}
