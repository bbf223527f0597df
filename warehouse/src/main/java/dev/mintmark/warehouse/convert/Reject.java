package dev.mintmark.warehouse.convert;

/**
 * A line, a record or a field that was not converted.
 *
 * @param line the line in the input, from 1; for a record, its first line
 * @param reason the reason; for CSV, with the column
 */
public record Reject(long line, String reason) {
  @Override
  public String toString() {
    return "line " + line + ": " + reason;
  }
}
