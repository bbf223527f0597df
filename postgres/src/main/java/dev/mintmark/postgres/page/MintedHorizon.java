package dev.mintmark.postgres.page;

import dev.mintmark.Ulid;
import dev.mintmark.postgres.page.CursorException.Reason;
import dev.mintmark.postgres.page.ServerState.SessionStarts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The horizon of a table: after the snapshot of the page is taken, no id below it can appear any
 * more. {@link PageOrder.MintedId} has the proof.
 *
 * @param bound the least id that may still appear
 * @param readAt the time on the server's clock, in milliseconds since 1970
 */
record MintedHorizon(PageTable table, UUID bound, long readAt) {
  /** How far the id of a row may be ahead of the server's clock. */
  private static final Duration AHEAD_MAX = Duration.ofDays(1);

  /**
   * Reads the horizon, in two statements. Prepared transactions are read after sessions, so that a
   * transaction that is prepared in between is found by the second statement.
   *
   * @throws PageRefusedException if a condition does not hold
   */
  static MintedHorizon read(
      Connection connection, PageDefinition definition, PageOrder.MintedId order)
      throws SQLException {
    SessionStarts starts = SessionStarts.read(connection);
    PageTable table = definition.readTable(connection, order);
    table.requireOrdered(order.keys());
    starts.requirePrimary(table);
    starts.requireReadCommitted(table);
    starts.requireComplete(table);
    table.requireMinted(order.id());
    table.requireNonePrepared();
    long millis = starts.oldestStartMillis() - order.clockSlackMillis();
    return new MintedHorizon(
        table, Ulid.min(Instant.ofEpochMilli(millis)).toUuid(), starts.readAt());
  }

  /**
   * Checks that the clock is not behind the time in a cursor.
   *
   * @param seen the latest time at which this server was read, in milliseconds since 1970
   */
  void requireClock(long seen, PageOrder.MintedId order) {
    long behind = seen - readAt;
    if (behind > order.clockSlackMillis()) {
      throw new CursorException(
          Reason.AHEAD_OF_SERVER,
          "the server's clock is %s ms behind the time in the cursor: expected at most %s ms"
              .formatted(behind, order.clockSlackMillis()));
    }
  }

  /**
   * Checks that no row of the scope is held back for more than a day, as random ids are.
   *
   * @throws PageRefusedException if one is
   */
  void requireNotAhead(PageQuery<?> query, PageOrder.MintedId order) throws SQLException {
    Instant tomorrow = Instant.ofEpochMilli(readAt).plus(AHEAD_MAX);
    Optional<UUID> id =
        query.least(
            order.id(), PageQuery.compare(order.id(), ">=", "uuid", Ulid.min(tomorrow).toUuid()));
    if (id.isPresent()) {
      throw table.refused(
          PageRefusedException.Condition.SERVER_MINTED,
          "the row with id %s would be held back until %s, more than a day from now: it was not minted by the server's clock: give the row another id, or order by transaction"
              .formatted(id.get(), Ulid.of(id.get()).time()));
    }
  }

  /** Returns the condition for the rows that a page may contain. */
  SqlFragment below(PageOrder.MintedId order) {
    return PageQuery.compare(order.id(), "<", "uuid", bound);
  }

  /** Returns the condition for the rows that are held back. */
  SqlFragment withheld(PageOrder.MintedId order) {
    return PageQuery.compare(order.id(), ">=", "uuid", bound);
  }
}
