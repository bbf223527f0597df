package dev.mintmark.postgres.page;

import java.util.List;

/**
 * Some rows in an order, and where to go on.
 *
 * <p>Both cursors are always there, also at the end, where {@link #after} is what to poll with.
 *
 * @param rows the rows in the order of reading: backwards the greatest comes first
 * @param before the cursor for what comes before this page in the order
 * @param after the cursor for what comes after this page in the order
 * @param hasMore whether more rows can be had at once by going on in the same direction
 * @param heldBack whether this page ends before rows that are committed, but that an open
 *     transaction may still get a row in front of; they can be had when it has ended. Told where a
 *     page ends at the end of the order, or begins there backwards, else false
 * @param order the order it was read in: another than the one asked for where that says so ({@link
 *     PageOrder.MintedId#orByTransaction})
 */
public record Page<T>(
    List<T> rows, String before, String after, boolean hasMore, boolean heldBack, PageOrder order) {
  /** Makes a page of a copy of the rows. */
  public Page {
    rows = List.copyOf(rows);
  }

  /** What going on from this page promises. */
  public Guarantee guarantee() {
    return order.guarantee();
  }
}
