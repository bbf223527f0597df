package dev.mintmark.postgres.page;

import dev.mintmark.postgres.page.PageQuery.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One page to be read on a connection that is in a transaction.
 *
 * @param cursor that of the request: it is signed, but perhaps of other pages
 */
record PageReading<T>(
    Connection connection,
    PageDefinition definition,
    PageColumns<T> columns,
    Cursors cursors,
    PageRequest request,
    Optional<Cursors.Opened> cursor) {

  /** Where the order does not count transactions, a cursor may go on in any cluster. */
  static final String ANY_CLUSTER = "";

  Page<T> read() throws SQLException {
    PageOrder order = definition.order();
    if (order instanceof PageOrder.MintedId minted) {
      return MintedPages.read(this, minted);
    }
    if (order instanceof PageOrder.Transaction transaction) {
      return TransactionPages.read(this, transaction, Optional.empty());
    }
    if (order instanceof PageOrder.Window window) {
      return WindowPages.read(this, window);
    }
    return readPlain(order);
  }

  private Page<T> readPlain(PageOrder order) throws SQLException {
    PageTable table = definition.readTable(connection, order);
    table.requireOrdered(order.keys());
    String pages = pagesOf(table);
    Rows<T> rows =
        query(table).read(order.keys(), gap(), request.backwards(), List.of(), request.limit());
    return page(
        rows,
        false,
        order,
        gap -> cursors.write(table, pages, ANY_CLUSTER, new CursorState.Plain(gap)));
  }

  /** What cursors of this page are bound to; checks that the one of the request is. */
  String pagesOf(PageTable table) {
    String pages = identity(table);
    cursor.ifPresent(opened -> cursors.requirePages(opened, pages));
    return pages;
  }

  String identity(PageTable table) {
    return definition.identity(List.of(table.resolved()), request);
  }

  /**
   * What cursors by a transaction column are bound to besides; checks that the one of the request
   * is, if it is such.
   */
  String pagesBy(String xid, PageTable table) {
    String pages = definition.identity(List.of(table.resolved(), xid), request);
    cursor
        .filter(opened -> opened.state() instanceof CursorState.Horizon)
        .ifPresent(opened -> cursors.requirePages(opened, pages));
    return pages;
  }

  PageQuery<T> query(PageTable table) {
    return new PageQuery<>(connection, table, columns, definition.scopeConditions(table, request));
  }

  /** Where to begin, if the request says so. */
  Optional<Gap> gap() {
    return cursor.map(opened -> opened.state().gap());
  }

  /** Whether it ends where the order ends for now, or begins there backwards. */
  boolean isAtEnd(Rows<T> rows) {
    return request.backwards() ? cursor.isEmpty() : !rows.more();
  }

  Page<T> page(Rows<T> rows, boolean heldBack, PageOrder order, Function<Gap, String> cursorAt) {
    Gap otherwise = gap().orElse(Gap.START);
    return new Page<>(
        rows.values(),
        cursorAt.apply(rows.before(request.backwards(), otherwise)),
        cursorAt.apply(rows.after(request.backwards(), otherwise)),
        rows.more(),
        heldBack,
        order);
  }
}
