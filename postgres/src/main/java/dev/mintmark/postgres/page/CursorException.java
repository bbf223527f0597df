package dev.mintmark.postgres.page;

/** A cursor cannot be used. The message does not contain the text of the cursor. */
public final class CursorException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** The reasons why a cursor is rejected. */
  public enum Reason {
    /** Its form is not that of a cursor. */
    MALFORMED,
    /** It was written by a later version, or is not a cursor. */
    UNKNOWN_VERSION,
    /** It names a key that is not in the keyring, or no longer. */
    UNKNOWN_KEY,
    /** It was altered, or signed with another secret. */
    TAMPERED,
    /** It belongs to another database, table, scope or order. */
    OTHER_PAGES,
    /** It belongs to another cluster, whose transaction ids are unrelated to those of this one. */
    OTHER_CLUSTER,
    /**
     * It is ahead of this server: it comes from a primary that this standby lags behind, from
     * before a restore to an earlier time, from a later timeline than that of this former primary,
     * or from before the server's clock stepped back.
     */
    AHEAD_OF_SERVER,
    /**
     * The database has failed over, or was restored, since the cursor was read, and may have lost
     * commits that the reader has seen: start again from the first page, or declare {@link
     * AfterFailover#TRUST}.
     */
    FAILED_OVER
  }

  CursorException(Reason reason, String why) {
    super("unusable cursor: " + why);
    this.reason = reason;
  }

  /** Returns the reason why the cursor is rejected. */
  public Reason reason() {
    return reason;
  }
}
