package dev.mintmark.postgres.page;

import dev.mintmark.postgres.page.CursorException.Reason;
import dev.mintmark.postgres.page.PageQuery.Rows;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Reads pages by {@link PageOrder.MintedId}. */
final class MintedPages {
  private MintedPages() {}

  static <T> Page<T> read(PageReading<T> reading, PageOrder.MintedId order) throws SQLException {
    if (Cursors.state(reading.cursor(), CursorState.Horizon.class).isPresent()) {
      if (order.xid().isEmpty()) {
        throw new CursorException(
            Reason.OTHER_PAGES, "it goes on by transaction, which these pages do not");
      }
      return readByTransaction(reading, order);
    }
    MintedHorizon horizon;
    try {
      horizon = MintedHorizon.read(reading.connection(), reading.definition(), order);
    } catch (PageRefusedException e) {
      boolean mayFallBack = order.xid().isPresent() && e.condition() != Condition.TABLE;
      if (!mayFallBack || isBeforeCursor(reading)) {
        throw e;
      }
      return readByTransaction(reading, order);
    }
    return read(reading, order, horizon);
  }

  private static <T> Page<T> read(
      PageReading<T> reading, PageOrder.MintedId order, MintedHorizon horizon) throws SQLException {
    String pages = reading.pagesOf(horizon.table());
    long seen =
        Cursors.state(reading.cursor(), CursorState.Clock.class)
            .map(state -> state.clocks().get(0))
            .orElse(horizon.readAt());
    horizon.requireClock(seen, order);
    PageRequest request = reading.request();
    PageQuery<T> query = reading.query(horizon.table());
    // Rows before a cursor's are below the bound that held then, so below this one.
    List<Sql> conditions = isBeforeCursor(reading) ? List.of() : List.of(horizon.below(order));
    Rows<T> rows =
        query.read(order.keys(), reading.gap(), request.backwards(), conditions, request.limit());
    boolean heldBack = reading.isAtEnd(rows) && query.exists(List.of(horizon.withheld(order)));
    List<Long> clocks = List.of(Math.max(seen, horizon.readAt()));
    return reading.page(
        rows,
        heldBack,
        order,
        gap ->
            reading
                .cursors()
                .write(
                    horizon.table(),
                    pages,
                    PageReading.ANY_CLUSTER,
                    new CursorState.Clock(gap, clocks)));
  }

  private static <T> Page<T> readByTransaction(PageReading<T> reading, PageOrder.MintedId order)
      throws SQLException {
    String xid = order.xid().orElseThrow();
    Optional<Gap> floor =
        Cursors.state(reading.cursor(), CursorState.Clock.class).map(CursorState::gap);
    return TransactionPages.read(reading, PageOrder.byTransaction(xid, order.id()), floor);
  }

  private static boolean isBeforeCursor(PageReading<?> reading) {
    return reading.request().backwards() && reading.cursor().isPresent();
  }
}
