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

  static <T> Page<T> read(PageReader<T> reader, PageOrder.MintedId order) throws SQLException {
    if (Cursors.state(reader.cursor(), CursorState.Transaction.class).isPresent()) {
      if (order.xid().isEmpty()) {
        throw new CursorException(
            Reason.OTHER_PAGES,
            "it continues by transaction, but these pages have no transaction column");
      }
      return readByTransaction(reader, order);
    }
    try {
      MintedHorizon horizon = MintedHorizon.read(reader.connection(), reader.definition(), order);
      return read(reader, order, horizon);
    } catch (PageRefusedException e) {
      boolean mayFallBack = order.xid().isPresent() && e.condition() != Condition.TABLE;
      if (!mayFallBack || isBeforeCursor(reader)) {
        throw e;
      }
      if (e.condition() == Condition.SERVER_MINTED && reader.cursor().isPresent()) {
        // What was not read by id is what has greater ids only if the server mints them.
        throw e.withRemedy("read again from the first page, by transaction");
      }
      return readByTransaction(reader, order);
    }
  }

  private static <T> Page<T> read(
      PageReader<T> reader, PageOrder.MintedId order, MintedHorizon horizon) throws SQLException {
    String pages = reader.checkedIdentity(horizon.table());
    long seen =
        Cursors.state(reader.cursor(), CursorState.MintedId.class)
            .map(state -> state.clocks().get(0))
            .orElse(horizon.readAt());
    horizon.requireClock(seen, order);
    PageRequest request = reader.request();
    PageQuery<T> query = reader.query(horizon.table());
    // Rows before a cursor are below the bound of an earlier read, so they are below this one.
    List<SqlFragment> conditions =
        isBeforeCursor(reader) ? List.of() : List.of(horizon.below(order));
    Rows<T> rows =
        query.read(
            order.keys(), reader.position(), request.backwards(), conditions, request.limit());
    boolean heldBack = reader.isAtEnd(rows) && query.exists(List.of(horizon.withheld(order)));
    if (heldBack) {
      horizon.requireNotAhead(query, order);
    }
    List<Long> clocks = List.of(Math.max(seen, horizon.readAt()));
    return reader.page(
        rows,
        heldBack,
        order,
        position ->
            reader
                .cursors()
                .write(
                    horizon.table(),
                    pages,
                    Origin.ANY,
                    new CursorState.MintedId(position, clocks)));
  }

  private static <T> Page<T> readByTransaction(PageReader<T> reader, PageOrder.MintedId order)
      throws SQLException {
    String xid = order.xid().orElseThrow();
    Optional<Position> floor =
        Cursors.state(reader.cursor(), CursorState.MintedId.class).map(CursorState::position);
    return TransactionPages.read(reader, PageOrder.byTransaction(xid, order.id()), floor);
  }

  private static boolean isBeforeCursor(PageReader<?> reader) {
    return reader.request().backwards() && reader.cursor().isPresent();
  }
}
