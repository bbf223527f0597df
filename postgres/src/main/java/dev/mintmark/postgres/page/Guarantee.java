package dev.mintmark.postgres.page;

/** The guarantee of an order, for clients that read page after page. */
public enum Guarantee {
  /**
   * A client that continues from cursor to cursor gets every row exactly once, including rows whose
   * transaction commits late.
   */
  GAP_FREE,

  /**
   * A client may miss a row or get it twice, if the row is committed late or is changed in a column
   * of the order: its position can then be before the cursor.
   */
  PLAIN
}
