package dev.mintmark.postgres.page;

/**
 * What happens to a cursor that counts transactions ({@link PageOrder.Transaction}, {@link
 * PageOrder.Window}) after the server's history has changed since the cursor was read: another
 * server was promoted, or a backup was restored. Both begin a new timeline.
 *
 * <p>If such a change lost commits which a reader had already seen, the server assigns their
 * transaction ids again, and a page after the cursor would skip the rows of those transactions. Ids
 * of rows ({@link PageOrder.MintedId}) are not assigned again, so their cursors continue.
 */
public enum AfterFailover {
  /**
   * The cursor is rejected ({@link CursorException.Reason#FAILED_OVER}), because the server cannot
   * tell whether commits were lost. The default.
   */
  REFUSE,

  /**
   * The cursor continues on a later timeline. You declare that no commit is lost which a reader can
   * have seen: replication is synchronous, or the old primary was shut down cleanly and its standby
   * had received everything. A server whose timeline or log went back is still rejected. Does not
   * apply to {@link PageOrder.Window}, which counts transactions that no replication protects.
   */
  TRUST,

  /**
   * Neither the timeline nor the log position is read, because the server or the role does not
   * allow that. Only a cursor whose transactions the server does not have is rejected. After a
   * failover or a restore you must start from the first page.
   */
  UNCHECKED
}
