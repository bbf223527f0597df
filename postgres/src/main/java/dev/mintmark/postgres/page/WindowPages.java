package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlName;
import dev.mintmark.postgres.page.CursorException.Reason;
import dev.mintmark.postgres.page.PageQuery.Rows;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import dev.mintmark.postgres.page.ServerState.SnapshotState;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Reads pages by {@link PageOrder.Window}. */
final class WindowPages {
  private static final CursorState.Window NOTHING_SEEN =
      new CursorState.Window(Position.START, Snapshot.NOTHING, Optional.empty());

  private WindowPages() {}

  static <T> Page<T> read(PageReader<T> reader, PageOrder.Window order) throws SQLException {
    if (reader.request().backwards()) {
      throw new IllegalArgumentException("pages by window are read forwards only");
    }
    SnapshotState server = SnapshotState.read(reader);
    PageTable table = reader.definition().readTable(reader.connection(), order);
    server.requirePrimary(table);
    server.requireReadCommitted(table);
    requireNothingWritten(server, table);
    TransactionPages.requireStamps(table, order.xid(), order);
    String pages = reader.checkedIdentity(table);
    CursorState.Window state =
        Cursors.state(reader.cursor(), CursorState.Window.class).orElse(NOTHING_SEEN);
    Optional<HistoryPoint> seen = Optional.empty();
    if (reader.cursor().isPresent()) {
      Cursors.Opened cursor = reader.cursor().get();
      reader.cursors().requireCluster(cursor, server.origin());
      seen = cursor.history().filter(point -> !state.equals(NOTHING_SEEN));
      server.requireHistory(seen, reader);
      requireSeen(state, server);
    }
    Origin origin = server.origin().after(seen);
    Snapshot until = state.until().orElse(server.snapshot());
    PageQuery<T> query = reader.query(table);
    Rows<T> rows =
        query.read(
            order.keys(),
            Optional.of(state.position()),
            false,
            List.of(within(order.xid(), state.seen(), until)),
            reader.request().limit());
    TransactionPages.requireNoneAhead(query, table, order.xid());
    CursorState.Window next =
        rows.more()
            ? new CursorState.Window(
                rows.after(false, state.position()), state.seen(), Optional.of(until))
            : new CursorState.Window(Position.START, until, Optional.empty());
    return new Page<>(
        rows.values(),
        reader.cursors().write(table, pages, origin, state),
        reader.cursors().write(table, pages, origin, next),
        rows.more(),
        false,
        order);
  }

  /** Returns the condition for the rows whose transactions ended between two snapshots. */
  private static SqlFragment within(String xid, Snapshot seen, Snapshot until) {
    String column = SqlName.quoted(xid);
    return SqlFragment.of(
        """
        %1$s operator(pg_catalog.>=) ?::pg_catalog.xid8
          and %1$s operator(pg_catalog.<) ?::pg_catalog.xid8
          and not pg_catalog.pg_visible_in_snapshot(%1$s, ?::pg_catalog.pg_snapshot)
          and pg_catalog.pg_visible_in_snapshot(%1$s, ?::pg_catalog.pg_snapshot)"""
            .formatted(column),
        Long.toString(seen.xmin()),
        Long.toString(until.xmax()),
        seen.toString(),
        until.toString());
  }

  private static void requireNothingWritten(SnapshotState server, PageTable table) {
    if (server.written()) {
      throw table.refused(
          Condition.NOTHING_WRITTEN,
          "the transaction has written already, and its own rows would count as read: read pages in another transaction");
    }
  }

  private static void requireSeen(CursorState.Window state, SnapshotState server) {
    Snapshot latest = state.until().orElse(state.seen());
    if (latest.xmax() > server.snapshot().xmax()) {
      throw new CursorException(
          Reason.AHEAD_OF_SERVER,
          "it is ahead of this server: it contains transactions that this server does not have");
    }
  }
}
