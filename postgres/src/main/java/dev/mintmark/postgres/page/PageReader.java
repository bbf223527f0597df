package dev.mintmark.postgres.page;

import dev.mintmark.postgres.page.PageQuery.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads one page, on a connection that is in a transaction.
 *
 * @param cursor the cursor of the request. Its signature is valid, but it may belong to other pages
 */
record PageReader<T>(
    Connection connection,
    PageDefinition definition,
    PageColumns<T> columns,
    Cursors cursors,
    AfterFailover afterFailover,
    PageRequest request,
    Optional<Cursors.Opened> cursor) {

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
    String pages = checkedIdentity(table);
    Rows<T> rows =
        query(table)
            .read(order.keys(), position(), request.backwards(), List.of(), request.limit());
    return page(
        rows,
        false,
        order,
        position -> cursors.write(table, pages, Origin.ANY, new CursorState.Plain(position)));
  }

  /**
   * Returns the identity that cursors are bound to. Checks that the cursor of the request has it.
   */
  String checkedIdentity(PageTable table) {
    String pages = identity(table);
    cursor.ifPresent(opened -> cursors.requirePages(opened, pages));
    return pages;
  }

  String identity(PageTable table) {
    return definition.identity(List.of(table.resolved()), request);
  }

  /**
   * Returns the identity that cursors by a transaction column are bound to. Checks that the cursor
   * of the request has it, if it is such a cursor.
   */
  String checkedIdentity(String xid, PageTable table) {
    String pages = definition.identity(List.of(table.resolved(), xid), request);
    cursor
        .filter(opened -> opened.state() instanceof CursorState.Transaction)
        .ifPresent(opened -> cursors.requirePages(opened, pages));
    return pages;
  }

  PageQuery<T> query(PageTable table) {
    return new PageQuery<>(connection, table, columns, definition.scopeConditions(table, request));
  }

  /** Returns the position of the request's cursor, if it has one. */
  Optional<Position> position() {
    return cursor.map(opened -> opened.state().position());
  }

  /** Returns whether the page ends at the current end of the order, or begins there backwards. */
  boolean isAtEnd(Rows<T> rows) {
    return request.backwards() ? cursor.isEmpty() : !rows.more();
  }

  Page<T> page(
      Rows<T> rows, boolean heldBack, PageOrder order, Function<Position, String> cursorAt) {
    Position fallback = position().orElse(Position.START);
    return new Page<>(
        rows.values(),
        cursorAt.apply(rows.before(request.backwards(), fallback)),
        cursorAt.apply(rows.after(request.backwards(), fallback)),
        rows.more(),
        heldBack,
        order);
  }
}
