package dev.mintmark.postgres.page;

/** What reading page after page promises. */
public enum Guarantee {
  /**
   * Whoever goes on from cursor to cursor is given every row once, also those whose transaction
   * commits late.
   */
  GAP_FREE,

  /**
   * A row may come to lie behind the cursor: committed late, or changed in a column of the order.
   * It is then never given, or given twice.
   */
  PLAIN
}
