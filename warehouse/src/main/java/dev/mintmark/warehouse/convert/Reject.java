package dev.mintmark.warehouse.convert;

/**
 * Something that was not converted.
 *
 * @param line its line in the input, from 1 on; of a record the first
 * @param reason why, of CSV with the column
 */
public record Reject(long line, String reason) {
  @Override
  public String toString() {
    return "line " + line + ": " + reason;
  }
}
