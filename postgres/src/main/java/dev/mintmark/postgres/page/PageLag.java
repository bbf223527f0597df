package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The open transactions that hold pages back, and for how long: which session to end if {@link
 * Page#heldBack} stays true.
 *
 * @param readAt the time on the server's clock
 * @param holders the transactions, the one that determines how far pages go first. None if the
 *     order is not held back by transactions
 * @param unseenSessions the number of sessions that were not looked at, because this role may not
 *     see their transactions (grant {@code pg_read_all_stats}), or because their {@code
 *     track_activities} is off. Each may hold pages back
 * @param standby whether the server is a standby: transactions of its primary were not looked at
 */
public record PageLag(Instant readAt, List<Holder> holders, int unseenSessions, boolean standby) {
  private static final SqlFile HOLDERS = SqlFile.load(PageLag.class, "holders");

  /** Copies the holders. */
  public PageLag {
    holders = List.copyOf(holders);
  }

  /**
   * An open transaction.
   *
   * @param pid the process of its session, for {@code pg_terminate_backend}; empty if it is
   *     prepared
   * @param preparedAs the name for {@code commit prepared} and {@code rollback prepared}; empty if
   *     it is not prepared
   * @param since when it began, or was prepared; empty if its session does not report that
   * @param applicationName of its session; may be empty
   * @param database of its session, which for an order by transaction may be another one
   */
  public record Holder(
      OptionalInt pid,
      Optional<String> preparedAs,
      Optional<Instant> since,
      String applicationName,
      String database) {}

  /**
   * Returns how long the oldest transaction has been open; zero if none is known. A transaction
   * that was not looked at may be older, unless {@link #isComplete}.
   */
  public Duration lag() {
    return holders.stream()
        .flatMap(holder -> holder.since().stream())
        .map(since -> Duration.between(since, readAt))
        .filter(open -> !open.isNegative())
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** Returns whether all transactions were looked at. */
  public boolean isComplete() {
    return unseenSessions == 0 && !standby;
  }

  static PageLag read(Connection connection, PageOrder order) throws SQLException {
    Map<String, Object> parameters =
        Map.of(
            "by_minted_id", order instanceof PageOrder.MintedId,
            "by_transaction", order instanceof PageOrder.Transaction,
            "with_own", !connection.getAutoCommit());
    List<PageLag> rows = HOLDERS.query(connection, parameters, PageLag::of);
    List<Holder> holders = new ArrayList<>();
    rows.forEach(row -> holders.addAll(row.holders));
    PageLag first = rows.get(0);
    return new PageLag(first.readAt, holders, first.unseenSessions, first.standby);
  }

  /** Reads a row: the server, and at most one holder. */
  private static PageLag of(ResultSet row) throws SQLException {
    boolean isHeld = row.getBoolean("is_held");
    return new PageLag(
        instant(row, "read_at").orElseThrow(),
        isHeld ? List.of(holder(row)) : List.of(),
        row.getInt("unseen"),
        row.getBoolean("is_standby"));
  }

  private static Holder holder(ResultSet row) throws SQLException {
    int pid = row.getInt("pid");
    return new Holder(
        row.wasNull() ? OptionalInt.empty() : OptionalInt.of(pid),
        Optional.ofNullable(row.getString("prepared_as")),
        instant(row, "since"),
        Objects.requireNonNullElse(row.getString("application_name"), ""),
        Objects.requireNonNullElse(row.getString("database"), ""));
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
