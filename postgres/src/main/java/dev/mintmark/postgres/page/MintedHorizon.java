package dev.mintmark.postgres.page;

import dev.mintmark.Ulid;
import dev.mintmark.postgres.page.CursorException.Reason;
import dev.mintmark.postgres.page.Session.Starts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/**
 * The bound below which no id can appear any more in a table, once the page's snapshot is taken:
 * {@link PageOrder.MintedId} says why.
 *
 * @param bound the least id that may still appear
 * @param readAt the time of the server's clock, in milliseconds since 1970
 */
record MintedHorizon(PageTable table, UUID bound, long readAt) {
  /**
   * Reads it, in two statements: prepared transactions after sessions, so that one that is prepared
   * in between is seen by the second.
   *
   * @throws PageRefusedException if a condition does not hold
   */
  static MintedHorizon read(
      Connection connection, PageDefinition definition, PageOrder.MintedId order)
      throws SQLException {
    Starts starts = Starts.read(connection);
    PageTable table = definition.readTable(connection, order);
    table.requireOrdered(order.keys());
    starts.requirePrimary(table);
    starts.requireReadCommitted(table);
    starts.requireComplete(table);
    table.requireMinted(order.id());
    long millis = starts.oldestStartMillis() - order.clockSlackMillis();
    return new MintedHorizon(
        table, Ulid.min(Instant.ofEpochMilli(millis)).toUuid(), starts.readAt());
  }

  /**
   * Checks that the clock is not behind what a cursor has seen.
   *
   * @param seen the latest time at which this server was read, in milliseconds since 1970
   */
  void requireClock(long seen, PageOrder.MintedId order) {
    long behind = seen - readAt;
    if (behind > order.clockSlackMillis()) {
      throw new CursorException(
          Reason.AHEAD_OF_SERVER,
          "the server's clock is %d ms behind what it has seen: expected %d at most"
              .formatted(behind, order.clockSlackMillis()));
    }
  }

  /** The condition of the rows that a page may show. */
  Sql below(PageOrder.MintedId order) {
    return PageQuery.compare(order.id(), "<", "uuid", bound);
  }

  /** The condition of the rows that have to wait. */
  Sql withheld(PageOrder.MintedId order) {
    return PageQuery.compare(order.id(), ">=", "uuid", bound);
  }
}
