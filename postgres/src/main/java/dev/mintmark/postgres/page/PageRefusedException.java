package dev.mintmark.postgres.page;

/**
 * A page was not read since a condition of its order does not hold, and it might have lost rows.
 * Nothing was read; some conditions pass, as when a prepared transaction is committed.
 */
public final class PageRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Condition condition;

  /** What an order can need. {@link PageOrder} says which needs what, and why. */
  public enum Condition {
    /** The table and the columns are there, of a type and with the indexes that are needed. */
    TABLE,
    /** The transaction is {@code read committed}. */
    READ_COMMITTED,
    /** The server is a primary. */
    PRIMARY,
    /** The reader may see when other sessions' transactions began. */
    VISIBLE_SESSIONS,
    /** Every session tells when its transaction began. */
    TRACKED_SESSIONS,
    /** No transaction of this database is prepared. */
    NO_PREPARED_TRANSACTIONS,
    /** The column's default is a mint, and rows come from nowhere else. */
    SERVER_MINTED,
    /** The reader may ask which cluster this is. */
    KNOWN_CLUSTER,
    /** The transaction column is stamped by its default, in this cluster. */
    STAMPED_HERE,
    /** The reader's transaction has not written anything. */
    NOTHING_WRITTEN,
    /** The cursor is not longer than allowed. */
    CURSOR_LENGTH
  }

  PageRefusedException(String table, Condition condition, String why) {
    super("pages of \"" + table + "\": " + why);
    this.condition = condition;
  }

  /** What does not hold. */
  public Condition condition() {
    return condition;
  }
}
