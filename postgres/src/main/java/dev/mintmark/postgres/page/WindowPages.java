package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlName;
import dev.mintmark.postgres.page.CursorException.Reason;
import dev.mintmark.postgres.page.PageQuery.Rows;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import dev.mintmark.postgres.page.Session.Ended;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Reads pages by {@link PageOrder.Window}. */
final class WindowPages {
  private static final CursorState.Window NOTHING_SEEN =
      new CursorState.Window(Gap.START, Snapshot.NOTHING, Optional.empty());

  private WindowPages() {}

  static <T> Page<T> read(PageReading<T> reading, PageOrder.Window order) throws SQLException {
    if (reading.request().backwards()) {
      throw new IllegalArgumentException("pages by window are read forwards only");
    }
    Ended ended = Ended.read(reading.connection(), reading.definition().table());
    PageTable table = reading.definition().readTable(reading.connection(), order);
    ended.requirePrimary(table);
    ended.requireReadCommitted(table);
    requireNothingWritten(ended, table);
    TransactionPages.requireStamps(table, order.xid(), order);
    String pages = reading.pagesOf(table);
    CursorState.Window state =
        Cursors.state(reading.cursor(), CursorState.Window.class).orElse(NOTHING_SEEN);
    if (reading.cursor().isPresent()) {
      reading.cursors().requireCluster(reading.cursor().get(), ended.cluster());
      requireSeen(state, ended);
    }
    Snapshot until = state.until().orElse(ended.snapshot());
    PageQuery<T> query = reading.query(table);
    Rows<T> rows =
        query.read(
            order.keys(),
            Optional.of(state.gap()),
            false,
            List.of(within(order.xid(), state.seen(), until)),
            reading.request().limit());
    TransactionPages.requireNoneAhead(query, table, order.xid());
    CursorState.Window next =
        rows.more()
            ? new CursorState.Window(
                rows.after(false, state.gap()), state.seen(), Optional.of(until))
            : new CursorState.Window(Gap.START, until, Optional.empty());
    return new Page<>(
        rows.values(),
        reading.cursors().write(table, pages, ended.cluster(), state),
        reading.cursors().write(table, pages, ended.cluster(), next),
        rows.more(),
        false,
        order);
  }

  /** The condition of the rows whose transactions ended between two snapshots. */
  private static Sql within(String xid, Snapshot seen, Snapshot until) {
    String column = SqlName.quoted(xid);
    return Sql.of(
        column
            + " >= ?::xid8 and "
            + column
            + " < ?::xid8 and not pg_visible_in_snapshot("
            + column
            + ", ?::pg_snapshot) and pg_visible_in_snapshot("
            + column
            + ", ?::pg_snapshot)",
        Long.toString(seen.xmin()),
        Long.toString(until.xmax()),
        seen.toString(),
        until.toString());
  }

  private static void requireNothingWritten(Ended ended, PageTable table) {
    if (ended.written()) {
      throw table.refused(
          Condition.NOTHING_WRITTEN,
          "the transaction has written already, and its own rows would count as given: read in another");
    }
  }

  private static void requireSeen(CursorState.Window state, Ended ended) {
    Snapshot latest = state.until().orElse(state.seen());
    if (latest.xmax() > ended.snapshot().xmax()) {
      throw new CursorException(
          Reason.AHEAD_OF_SERVER, "it has seen transactions that this server has not");
    }
  }
}
