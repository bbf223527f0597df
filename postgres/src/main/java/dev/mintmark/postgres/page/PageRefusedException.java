package dev.mintmark.postgres.page;

/**
 * A page was not read, because a condition of its order does not hold and the page could have lost
 * rows. Some conditions are temporary: a prepared transaction, for example, is committed later.
 */
public final class PageRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Condition condition;

  /** The conditions of orders. {@link PageOrder} lists the conditions of each order, and why. */
  public enum Condition {
    /** The table and the columns exist, with the required types and indexes. */
    TABLE,
    /** The transaction is {@code read committed}. */
    READ_COMMITTED,
    /** The server is a primary. */
    PRIMARY,
    /** The reader may see the start of the transactions of other sessions. */
    VISIBLE_SESSIONS,
    /** Every session reports when its transaction began. */
    TRACKED_SESSIONS,
    /** No transaction of this database is prepared. */
    NO_PREPARED_TRANSACTIONS,
    /** The default of the column is a mint, and no rows come from another server. */
    SERVER_MINTED,
    /**
     * The reader may read the identifier of the cluster, and its timeline unless it is unchecked.
     */
    KNOWN_CLUSTER,
    /** The default of the transaction column stamps every row, in this cluster. */
    STAMPED_HERE,
    /** The transaction of the reader has not written anything. */
    NOTHING_WRITTEN,
    /** The cursor is not longer than the maximum. */
    CURSOR_LENGTH
  }

  PageRefusedException(String table, Condition condition, String why) {
    super("pages of \"" + table + "\": " + why);
    this.condition = condition;
  }

  private PageRefusedException(PageRefusedException refused, String remedy) {
    super(refused.getMessage() + ": " + remedy, refused);
    this.condition = refused.condition;
  }

  /** Returns the same refusal with what to do about it. */
  PageRefusedException withRemedy(String remedy) {
    return new PageRefusedException(this, remedy);
  }

  /** Returns the condition that does not hold. */
  public Condition condition() {
    return condition;
  }
}
