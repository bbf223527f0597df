package dev.mintmark.postgres.page;

import dev.mintmark.postgres.page.CursorException.Reason;
import dev.mintmark.postgres.page.PageQuery.Rows;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import dev.mintmark.postgres.page.Session.Ended;
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
   * @param turned where a cursor by {@link PageOrder.MintedId} was, whose order is left here
   */
  static <T> Page<T> read(PageReading<T> reading, PageOrder.Transaction order, Optional<Gap> turned)
      throws SQLException {
    Ended ended = Ended.read(reading.connection(), reading.definition().table());
    PageTable table = reading.definition().readTable(reading.connection(), order);
    requireStamps(table, order.xid(), order);
    String pages = reading.pagesBy(order.xid(), table);
    Optional<CursorState.Horizon> state =
        Cursors.state(reading.cursor(), CursorState.Horizon.class);
    if (state.isEmpty()) {
      reading.pagesOf(table);
    } else {
      reading.cursors().requireCluster(reading.cursor().orElseThrow(), ended.cluster());
      requireSeen(state.get().gap(), ended, reading.request().backwards());
    }
    Optional<Gap> floor = turned.or(() -> state.flatMap(CursorState.Horizon::floor));
    return read(reading, order, new Known(ended, table, pages, floor), state);
  }

  /**
   * What is known before the rows are read.
   *
   * @param floor what was had already by id
   */
  private record Known(Ended ended, PageTable table, String pages, Optional<Gap> floor) {}

  private static <T> Page<T> read(
      PageReading<T> reading,
      PageOrder.Transaction order,
      Known known,
      Optional<CursorState.Horizon> state)
      throws SQLException {
    PageRequest request = reading.request();
    PageQuery<T> query = reading.query(known.table());
    Snapshot snapshot = known.ended().snapshot();
    List<Sql> conditions = new ArrayList<>();
    conditions.add(PageQuery.compare(order.xid(), "<", "xid8", snapshot.xmin()));
    known
        .floor()
        .filter(floor -> !floor.equals(Gap.START))
        .ifPresent(
            floor ->
                conditions.add(
                    query.beyond(List.of(PageOrder.ascending(order.id())), floor, false)));
    Optional<Gap> from = state.map(CursorState.Horizon::gap);
    Rows<T> rows = query.read(order.keys(), from, request.backwards(), conditions, request.limit());
    requireNoneAhead(query, known.table(), order.xid());
    boolean heldBack =
        reading.isAtEnd(rows)
            && query.exists(List.of(PageQuery.compare(order.xid(), ">=", "xid8", snapshot.xmin())));
    Gap otherwise = from.orElse(Gap.START);
    String before = cursor(reading, known, rows.before(request.backwards(), otherwise));
    String after = cursor(reading, known, rows.after(request.backwards(), otherwise));
    if (request.backwards() && !rows.more() && known.floor().isPresent()) {
      // What comes before was read by id, and can be again.
      before = cursorById(reading, known, known.floor().get());
      return new Page<>(rows.values(), before, after, true, heldBack, order);
    }
    return new Page<>(rows.values(), before, after, rows.more(), heldBack, order);
  }

  private static String cursor(PageReading<?> reading, Known known, Gap gap) {
    return reading
        .cursors()
        .write(
            known.table(),
            known.pages(),
            known.ended().cluster(),
            new CursorState.Horizon(gap, known.floor()));
  }

  private static String cursorById(PageReading<?> reading, Known known, Gap floor) {
    return reading
        .cursors()
        .write(
            known.table(),
            reading.identity(known.table()),
            PageReading.ANY_CLUSTER,
            new CursorState.Clock(floor, List.of(0L)));
  }

  /** Checks that the transaction column is one. */
  static void requireStamps(PageTable table, String xid, PageOrder order) {
    table.requireStamped(xid);
    table.requireOrdered(order.keys());
  }

  /** Checks that no row was stamped by a transaction that has not been yet. */
  static void requireNoneAhead(PageQuery<?> query, PageTable table, String xid)
      throws SQLException {
    if (query.exists(List.of(PageQuery.ahead(xid)))) {
      throw table.refused(
          Condition.STAMPED_HERE,
          "rows were stamped by transactions that are yet to come, so in another cluster: stamp them again");
    }
  }

  /**
   * Checks that the server has come as far as the cursor. A standby may be behind: forwards there
   * is nothing to read yet then.
   */
  private static void requireSeen(Gap gap, Ended ended, boolean backwards) {
    if (gap.keys().isEmpty()) {
      return;
    }
    long xid = Long.parseLong(gap.keys().get(0));
    long seen = backwards ? ended.snapshot().xmin() : ended.snapshot().xmax();
    if (xid >= seen && (backwards || !ended.standby())) {
      throw new CursorException(
          Reason.AHEAD_OF_SERVER,
          "it has seen transactions that this server, or this snapshot of it, has not");
    }
  }
}
