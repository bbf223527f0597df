package dev.mintmark.postgres.page;

import dev.mintmark.postgres.page.CursorException.Reason;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Where the history of a cluster is. While a server runs, and when it restarts without losing its
 * disk, both numbers only grow.
 *
 * @param timeline the number of the history, which grows with each promotion and each restore that
 *     replays a log
 * @param walPosition the end of the write-ahead log, in bytes since the cluster was made: what a
 *     primary has flushed, or a standby has replayed
 */
record HistoryPoint(long timeline, long walPosition) {
  private static final String FIRST_PAGE = "start again from the first page";
  private static final String OR_TRUST =
      ", or declare AfterFailover.TRUST if no commit was lost, as with synchronous replication";

  void write(DataOutput out) throws IOException {
    CursorState.writeNumber(out, timeline);
    CursorState.writeNumber(out, walPosition);
  }

  static HistoryPoint read(DataInput in) throws IOException {
    return new HistoryPoint(CursorState.readNumber(in), CursorState.readNumber(in));
  }

  /** Returns this point or another, whichever is later. */
  HistoryPoint latest(HistoryPoint other) {
    boolean isLater =
        timeline == other.timeline ? walPosition > other.walPosition : timeline > other.timeline;
    return isLater ? this : other;
  }

  boolean isOnEarlierTimelineThan(HistoryPoint other) {
    return timeline < other.timeline;
  }

  /**
   * Checks that a primary at this point continues the history of a cursor.
   *
   * @param cursor the point at which the cursor was read
   */
  void requireNotSetBack(HistoryPoint cursor) {
    if (isOnEarlierTimelineThan(cursor)) {
      throw new CursorException(
          Reason.AHEAD_OF_SERVER,
          "it was read on timeline %s, and this primary is on timeline %s: it is a former primary, or was restored to an earlier time: read from the present primary, or start again from the first page"
              .formatted(cursor.timeline, timeline));
    }
    if (timeline == cursor.timeline && walPosition < cursor.walPosition) {
      throw new CursorException(
          Reason.AHEAD_OF_SERVER,
          "it was read at position %s of the log, and this primary is at %s: the database was set back: start again from the first page"
              .formatted(lsn(cursor.walPosition), lsn(walPosition)));
    }
  }

  /**
   * Checks that a server at this point has not failed over since a cursor was read.
   *
   * @param cursor the point at which the cursor was read
   * @param order the order of the pages; a failover cannot be trusted in every order
   */
  void requireNoFailover(HistoryPoint cursor, PageOrder order) {
    if (cursor.isOnEarlierTimelineThan(this)) {
      throw new CursorException(
          Reason.FAILED_OVER,
          "it was read on timeline %s, and the database is on timeline %s since a failover or a restore: if that lost commits, their transaction ids are assigned again, and rows would be skipped: %s"
              .formatted(
                  cursor.timeline,
                  timeline,
                  order instanceof PageOrder.Window ? FIRST_PAGE : FIRST_PAGE + OR_TRUST));
    }
  }

  /** Writes a position as PostgreSQL does. */
  private static String lsn(long position) {
    return "%X/%X".formatted(position >>> 32, position & 0xFFFF_FFFFL);
  }
}
