package dev.mintmark.postgres.page;

import java.util.List;

/**
 * A page: rows in an order, and the cursors to continue from.
 *
 * <p>A page always has both cursors. At the end of the order, poll with {@link #after}.
 *
 * @param rows the rows in the order of reading; backwards, the greatest comes first
 * @param before the cursor for the rows before this page in the order
 * @param after the cursor for the rows after this page in the order
 * @param hasMore whether more rows can be read now in the same direction
 * @param heldBack whether committed rows were held back, because an open transaction may still
 *     insert a row before them; they can be read after it has ended. Known only if the page ends at
 *     the end of the order, or begins there backwards; otherwise false
 * @param order the order in which the page was read. It differs from the requested order only after
 *     {@link PageOrder.MintedId#orByTransaction}
 */
public record Page<T>(
    List<T> rows, String before, String after, boolean hasMore, boolean heldBack, PageOrder order) {
  /** Copies the rows. */
  public Page {
    rows = List.copyOf(rows);
  }

  /** Returns the guarantee for clients that continue from this page. */
  public Guarantee guarantee() {
    return order.guarantee();
  }
}
