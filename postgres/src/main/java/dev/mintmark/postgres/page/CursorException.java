package dev.mintmark.postgres.page;

/** A cursor cannot be gone on from. Its text is not in the message. */
public final class CursorException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why a cursor is refused. */
  public enum Reason {
    /** It is not of the form that cursors have. */
    MALFORMED,
    /** It was made by a later version, or is no cursor at all. */
    UNKNOWN_VERSION,
    /** The key that it names is not, or no longer, in the keyring. */
    UNKNOWN_KEY,
    /** It was altered, or signed with another secret. */
    TAMPERED,
    /** It is of another database, table, scope or order. */
    OTHER_PAGES,
    /** It is of another cluster, whose transactions have nothing to do with those of this one. */
    OTHER_CLUSTER,
    /**
     * It has seen what this server has not: it comes from a primary that is ahead of this standby,
     * from before a restore to an earlier time, or from before the server's clock stepped back.
     */
    AHEAD_OF_SERVER
  }

  CursorException(Reason reason, String why) {
    super("unusable cursor: " + why);
    this.reason = reason;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
