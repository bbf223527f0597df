package dev.mintmark.postgres.page;

import dev.mintmark.postgres.page.CursorException.Reason;
import dev.mintmark.postgres.page.PageQuery.Rows;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import dev.mintmark.postgres.page.ServerState.SnapshotState;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads pages by {@link PageOrder.Transaction}. */
final class TransactionPages {
  private TransactionPages() {}

  /**
   * Reads a page.
   *
   * @param mintedPosition the position of a cursor by {@link PageOrder.MintedId}, if the pages
   *     change from that order here
   */
  static <T> Page<T> read(
      PageReader<T> reader, PageOrder.Transaction order, Optional<Position> mintedPosition)
      throws SQLException {
    SnapshotState server = SnapshotState.read(reader);
    PageTable table = reader.definition().readTable(reader.connection(), order);
    requireStamps(table, order.xid(), order);
    String pages = reader.checkedIdentity(order.xid(), table);
    Optional<CursorState.Transaction> state =
        Cursors.state(reader.cursor(), CursorState.Transaction.class);
    Optional<HistoryPoint> seen = Optional.empty();
    if (state.isEmpty()) {
      reader.checkedIdentity(table);
    } else {
      Cursors.Opened cursor = reader.cursor().orElseThrow();
      reader.cursors().requireCluster(cursor, server.origin());
      seen = cursor.history().filter(point -> !state.get().position().equals(Position.START));
      server.requireHistory(seen, reader);
      boolean isBehind = server.isBehind(seen);
      requireSeen(state.get().position(), server, isBehind, reader.request().backwards());
    }
    Optional<Position> floor =
        mintedPosition.or(() -> state.flatMap(CursorState.Transaction::floor));
    return read(reader, order, new Context(server, seen, table, pages, floor), state);
  }

  /**
   * The facts that are read before the rows.
   *
   * @param seen where the history was when the cursor was read; empty if it has seen nothing, or
   *     does not say
   * @param floor the position by id up to which rows were returned already
   */
  private record Context(
      SnapshotState server,
      Optional<HistoryPoint> seen,
      PageTable table,
      String pages,
      Optional<Position> floor) {}

  private static <T> Page<T> read(
      PageReader<T> reader,
      PageOrder.Transaction order,
      Context context,
      Optional<CursorState.Transaction> state)
      throws SQLException {
    PageRequest request = reader.request();
    PageQuery<T> query = reader.query(context.table());
    Snapshot snapshot = context.server().snapshot();
    List<SqlFragment> conditions = new ArrayList<>();
    conditions.add(PageQuery.compare(order.xid(), "<", "xid8", snapshot.xmin()));
    if (context.server().isBehind(context.seen())) {
      // Its rows may be those of a former primary, and are not read.
      conditions.add(SqlFragment.of("false"));
    }
    context
        .floor()
        .filter(floor -> !floor.equals(Position.START))
        .ifPresent(
            floor ->
                conditions.add(
                    query.beyond(List.of(PageOrder.ascending(order.id())), floor, false)));
    Optional<Position> from = state.map(CursorState.Transaction::position);
    Rows<T> rows = query.read(order.keys(), from, request.backwards(), conditions, request.limit());
    requireNoneAhead(query, context.table(), order.xid());
    boolean heldBack =
        reader.isAtEnd(rows)
            && query.exists(List.of(PageQuery.compare(order.xid(), ">=", "xid8", snapshot.xmin())));
    Position fallback = from.orElse(Position.START);
    String before = cursor(reader, context, rows.before(request.backwards(), fallback));
    String after = cursor(reader, context, rows.after(request.backwards(), fallback));
    if (request.backwards() && !rows.more() && context.floor().isPresent()) {
      // The rows before were read by id, and can be read again by id.
      before = cursorById(reader, context, context.floor().get());
      return new Page<>(rows.values(), before, after, true, heldBack, order);
    }
    return new Page<>(rows.values(), before, after, rows.more(), heldBack, order);
  }

  private static String cursor(PageReader<?> reader, Context context, Position position) {
    return reader
        .cursors()
        .write(
            context.table(),
            context.pages(),
            context.server().origin().after(context.seen()),
            new CursorState.Transaction(position, context.floor()));
  }

  private static String cursorById(PageReader<?> reader, Context context, Position floor) {
    return reader
        .cursors()
        .write(
            context.table(),
            reader.identity(context.table()),
            Origin.ANY,
            new CursorState.MintedId(floor, List.of(0L)));
  }

  /** Checks the transaction column. */
  static void requireStamps(PageTable table, String xid, PageOrder order) {
    table.requireStamped(xid);
    table.requireOrdered(order.keys());
  }

  /** Checks that no row was stamped by a transaction that has not begun yet. */
  static void requireNoneAhead(PageQuery<?> query, PageTable table, String xid)
      throws SQLException {
    if (query.exists(List.of(PageQuery.ahead(xid)))) {
      throw table.refused(
          Condition.STAMPED_HERE,
          "rows were stamped by transactions that are yet to come, so by another cluster: stamp them again (XidColumn.restamp)");
    }
  }

  /**
   * Checks that the cursor is not ahead of the server. A standby may lag behind the cursor when
   * reading forwards: then the page is empty.
   *
   * @param isBehind whether the server has not reached the timeline of the cursor
   */
  private static void requireSeen(
      Position position, SnapshotState server, boolean isBehind, boolean backwards) {
    if (position.keys().isEmpty()) {
      return;
    }
    long xid = Long.parseLong(position.keys().get(0));
    long seen = backwards ? server.snapshot().xmin() : server.snapshot().xmax();
    if ((xid >= seen || isBehind) && (backwards || !server.standby())) {
      throw new CursorException(
          Reason.AHEAD_OF_SERVER,
          "it is ahead of this server: it contains transactions that this server, or its snapshot, does not have");
    }
  }
}
