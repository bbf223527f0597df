package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlName;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The order in which rows are read. It determines the guarantee of the pages. The columns of the
 * scope always come first, each with one value.
 *
 * <pre>
 *   order          rows in the order of    guarantee  needs
 *   byMintedId     (scope, id)             GAP_FREE   ids minted by the default of the column; see
 *                                                     {@link MintedId}
 *   byTransaction  (scope, xid, id)        GAP_FREE   a column of type xid8; see {@link Transaction}
 *   byWindow       (scope, xid, id),       GAP_FREE   the same, and a primary; see {@link Window}
 *                  window after window
 *   plain          (scope, any columns)    PLAIN      columns not null and unique together
 * </pre>
 *
 * <p>The guarantee applies to rows whose scope, transaction column and id do not change after
 * commit. An index on the columns of the scope and of the order makes each page an index scan
 * ({@link KeysetPages#indexStatements}).
 */
public sealed interface PageOrder {
  /** The maximum number of columns of a plain order. */
  int KEYS_MAX = 8;

  /**
   * Returns the order of ids that the server minted. It requires only the id column. An id that a
   * program minted before the first statement of its transaction (a generator in Java, {@code
   * Ulid.mint()} in plain JDBC) is older than the transaction, and its row is lost without an
   * error: take ids from {@code ServerMint}, or use {@link #byTransaction}.
   *
   * <p>With it you declare that every id of the table comes from the default of the column, in the
   * transaction that inserts the row, or from {@code ServerMint} in that transaction: no id is
   * minted by a client, copied in, or moved from another table. Pages check that the default is a
   * mint, and that no trigger assigns the column. They cannot check what clients insert.
   */
  static MintedId byMintedId(String id) {
    return new MintedId(id, MintedId.CLOCK_SLACK, Optional.empty(), List.of());
  }

  /**
   * Returns the order of the transactions that inserted the rows, up to the oldest open
   * transaction.
   *
   * @param xid a column {@code xid8 not null default pg_current_xact_id()}, as {@link XidColumn}
   *     adds it
   * @param id a column that makes rows unique together with the scope and {@code xid}
   */
  static Transaction byTransaction(String xid, String id) {
    return new Transaction(xid, id);
  }

  /**
   * Returns the order of windows: rows of all transactions that ended since the last page,
   * regardless of open transactions. It can be read forwards only.
   *
   * @param xid as for {@link #byTransaction}
   * @param id as for {@link #byTransaction}
   */
  static Window byWindow(String xid, String id) {
    return new Window(xid, id);
  }

  /**
   * Returns an order by any columns, without a guarantee.
   *
   * @param keys the columns, which must be {@code not null} and unique together within the scope,
   *     by a unique index
   */
  static Plain plain(Key... keys) {
    return new Plain(Arrays.asList(keys));
  }

  /** Returns a column of a plain order, smallest value first. */
  static Key ascending(String column) {
    return new Key(column, false);
  }

  /** Returns a column of a plain order, greatest value first. */
  static Key descending(String column) {
    return new Key(column, true);
  }

  /** Returns the columns, the most significant first. */
  List<Key> keys();

  /** Returns the guarantee of pages in this order. */
  default Guarantee guarantee() {
    return this instanceof Plain ? Guarantee.PLAIN : Guarantee.GAP_FREE;
  }

  /** A column and its direction. */
  record Key(String column, boolean descending) {
    /** Checks the name. */
    public Key {
      SqlName.quoted(column);
    }
  }

  /**
   * The order {@code (scope, id)}, up to a time below which no id can appear any more.
   *
   * <p><b>Why it holds.</b> Before the snapshot of the page is taken, the horizon H is read: the
   * earliest of the reader's own transaction start and of {@code xact_start} of every session of
   * this database. Take any transaction T that mints an id, and the moment at which its session is
   * read for H.
   *
   * <ul>
   *   <li>T is open: H is not later than the start of T, and T mints after its start.
   *   <li>T has ended: PostgreSQL makes a commit visible before it clears {@code xact_start}, so
   *       the snapshot of the page, which is taken later, sees the rows of T.
   *   <li>T has begun but has not reported its start yet, or begins later: T mints after it has
   *       reported its start. That is after this moment, which is after the reader's own start, and
   *       so not before H.
   * </ul>
   *
   * <p>So an id minted at H or later may still appear, and an id minted before H is visible or
   * never will be. Ids have a resolution of milliseconds, so H is cut to milliseconds. {@code
   * clockSlack} is subtracted, because the clock may step back between the start of one transaction
   * and a mint in another. A mint that runs ahead of the clock, as ascending mints do, only delays
   * its rows. Subtransactions have the start of their transaction. It does not matter whether and
   * when a transaction gets an xid.
   *
   * <p><b>Conditions</b>, each checked for every page:
   *
   * <ul>
   *   <li>The transaction is {@code read committed}, because H must be read before the snapshot is
   *       taken.
   *   <li>The server is a primary, because a standby does not show the sessions of the primary.
   *   <li>No transaction is prepared in this database, because prepared transactions have no
   *       session.
   *   <li>The reader has the privileges of {@code pg_read_all_stats}, and no session has {@code
   *       track_activities} off, because otherwise a start is hidden.
   *   <li>The default of the column is a call of the pack's {@code ulid()}, {@code
   *       ulid_monotonic()} or {@code uuidv7()}, of PostgreSQL's {@code uuidv7()}, of an SQL
   *       function that returns the latter, or of a {@linkplain #trusting trusted} function. A
   *       function of another origin is not known to mint by the server's clock, whatever its name.
   *   <li>No enabled {@code before insert} trigger for each row assigns the column or the whole
   *       row, as far as its source shows, except with a trusted function.
   *   <li>No row of the scope is minted more than a day ahead of the server's clock. This is
   *       checked where the pages end, because such a row would be held back until then.
   *   <li>The table is not part of a subscription and has no foreign partition or child table.
   *   <li>The server's clock is not behind the time in the cursor by more than the slack.
   * </ul>
   *
   * <p>Cursors continue after a failover, whatever {@link AfterFailover} says, and lose no row if
   * the clocks of both servers agree within the slack: ids that are minted after it are greater.
   * Rows that were read and then lost are not reported.
   *
   * <p>If a condition fails, the page is refused with {@link PageRefusedException}, or {@linkplain
   * #orByTransaction read in another order}.
   *
   * <p>Every open transaction of this database holds pages back, read-only or not, including
   * sessions that are {@code idle in transaction}. Autovacuum does not, because it inserts no rows.
   * Transactions of other databases do not.
   *
   * @param id the column, of type {@code uuid}
   * @param clockSlack how far the server's clock may step back, 1 ms to 1 hour. It also covers what
   *     a mint rounds off. Rows are returned later by this time
   * @param xid the transaction column to order by if a condition fails; empty if there is none
   * @param trusted the functions that are trusted as mints, or in triggers
   */
  record MintedId(String id, Duration clockSlack, Optional<String> xid, List<String> trusted)
      implements PageOrder {
    /** The default of {@link #clockSlack}. */
    public static final Duration CLOCK_SLACK = Duration.ofMillis(100);

    private static final Duration CLOCK_SLACK_MIN = Duration.ofMillis(1);
    private static final Duration CLOCK_SLACK_MAX = Duration.ofHours(1);

    /** Checks the names and the slack. */
    public MintedId {
      SqlName.quoted(id);
      xid.ifPresent(SqlName::quoted);
      trusted = List.copyOf(trusted);
      trusted.forEach(SqlName::quotedTable);
      if (clockSlack.compareTo(CLOCK_SLACK_MIN) < 0 || clockSlack.compareTo(CLOCK_SLACK_MAX) > 0) {
        throw new IllegalArgumentException(
            "clock slack %s: expected %s to %s"
                .formatted(clockSlack, CLOCK_SLACK_MIN, CLOCK_SLACK_MAX));
      }
    }

    /** Returns the slack in milliseconds, the resolution of ids, rounded up. */
    long clockSlackMillis() {
      return clockSlack.plusNanos(999_999).toMillis();
    }

    /** Returns this order with another clock slack. */
    public MintedId withClockSlack(Duration clockSlack) {
      return new MintedId(id, clockSlack, xid, trusted);
    }

    /**
     * Returns this order with another function that is trusted: as the default of the column it
     * returns identifiers that begin with the milliseconds of {@code clock_timestamp()} on this
     * server, or as the function of a trigger it does not assign the column otherwise.
     *
     * @param function its name, without parameters, optionally after its schema and a dot: {@code
     *     app.ulid}
     */
    public MintedId trusting(String function) {
      return new MintedId(
          id, clockSlack, xid, Stream.concat(trusted.stream(), Stream.of(function)).toList());
    }

    /**
     * Returns this order with a fallback: if a condition fails, pages are read in the order of
     * {@link #byTransaction}. An earlier cursor then returns the rows that its client has not read
     * yet, in that order, and pages that continue from there keep that order. No row is lost or
     * repeated, but the order changes, as {@link Page#order} reports.
     *
     * <p>If ids come from elsewhere than a mint of the server ({@link
     * PageRefusedException.Condition#SERVER_MINTED}), an earlier cursor is refused, because rows
     * may have been added before it: read again from the first page.
     */
    public MintedId orByTransaction(String xid) {
      return new MintedId(id, clockSlack, Optional.of(xid), trusted);
    }

    @Override
    public List<Key> keys() {
      return List.of(ascending(id));
    }
  }

  /**
   * The order {@code (scope, xid, id)}, up to the oldest transaction that is open in the cluster.
   *
   * <p><b>Why it holds.</b> The default gives every row the id of its top-level transaction, which
   * is assigned by then, also in subtransactions. Every transaction below {@code
   * pg_snapshot_xmin(pg_current_snapshot())} has ended, so its rows are visible or never will be.
   * Later transactions have greater ids. This holds at every isolation level, for prepared
   * transactions, which count as open, and on a standby, where the bound is that of the replayed
   * transactions.
   *
   * <p>Every open transaction of the cluster that has an id holds pages back, also in other
   * databases. Transactions that only read do not.
   *
   * <p><b>Conditions</b>, each checked for every page: the type and the default of the column; the
   * cursor comes from this cluster ({@code pg_control_system().system_identifier}), from its
   * present timeline ({@link AfterFailover}) and not from its future, as after a restore to an
   * earlier time; no row of the scope is from the future, as after a restore from another cluster
   * ({@link XidColumn#restamp}).
   *
   * <p><b>After a failover or a restore</b>: a server that lost commits which a reader had already
   * seen assigns their ids again, and a page after a cursor would skip the rows that get them. So a
   * cursor contains the timeline and the position of the log, and is rejected on a later timeline
   * unless {@link AfterFailover#TRUST} is declared. A standby learns of a new timeline up to some
   * minutes late; at the latest then a cursor that it has written is rejected. A standby that has
   * not reached the timeline of a cursor returns empty pages.
   *
   * <p><b>Not checked</b>: a crash with {@code synchronous_commit} off loses commits too, on the
   * same timeline. A cursor is rejected only until the server has got past its position. You must
   * also ensure that no client writes the column.
   *
   * @param xid the transaction column, as {@link XidColumn} adds it
   * @param id a column that makes rows unique together with the scope and {@code xid}
   */
  record Transaction(String xid, String id) implements PageOrder {
    /** Checks the names. */
    public Transaction {
      SqlName.quoted(xid);
      SqlName.quoted(id);
    }

    @Override
    public List<Key> keys() {
      return List.of(ascending(xid), ascending(id));
    }
  }

  /**
   * The order of windows: all rows that were committed between two snapshots, in the order {@code
   * (scope, xid, id)}, then the next window. It never waits for an open transaction.
   *
   * <p><b>Why it holds.</b> A cursor contains two snapshots, as {@code pg_current_snapshot()}
   * returns them: the snapshot up to which all rows were read, and the end of the current window. A
   * row belongs to exactly one window, the one in which its transaction ended. Pages of a window
   * are read after its end, so they see all of it. Prepared transactions count as open.
   *
   * <p><b>Conditions</b>: those of {@link Transaction}, and:
   *
   * <ul>
   *   <li>The server is a primary, because on a standby {@code pg_current_snapshot()} does not list
   *       the open transactions.
   *   <li>The transaction is {@code read committed}, because an old snapshot does not see all of
   *       the window.
   *   <li>The transaction has not written yet, because its own rows would count as read before they
   *       are committed.
   * </ul>
   *
   * <p>A cursor is rejected after a failover, and {@link AfterFailover#TRUST} cannot be declared: a
   * window also counts transactions that wrote nothing or were rolled back, and no replication
   * keeps their ids from being assigned again. The same happens in a crash of the server. It is
   * recognized only until the server has assigned new ids, so start again from the first page after
   * each crash.
   *
   * <p>{@link Page#before} is the cursor with which the page itself can be read again.
   *
   * <p>A poll reads all index entries since the oldest transaction that was open at the last poll.
   * So a transaction that stays open makes polls slower, while {@link Transaction} waits for it. A
   * cursor contains the ids of the open transactions. With more than some 1,000 of them the cursor
   * is too long, and the page is refused.
   *
   * @param xid as for {@link Transaction}
   * @param id as for {@link Transaction}
   */
  record Window(String xid, String id) implements PageOrder {
    /** Checks the names. */
    public Window {
      SqlName.quoted(xid);
      SqlName.quoted(id);
    }

    @Override
    public List<Key> keys() {
      return List.of(ascending(xid), ascending(id));
    }
  }

  /**
   * An order by any columns, with the values that they have when a page is read.
   *
   * <p>Columns must be {@code not null}, so that the place of nulls in the order need not be
   * defined. Their types may be integers, {@code numeric}, text, {@code uuid}, {@code boolean},
   * {@code date}, {@code timestamp}, {@code timestamptz}, {@code xid8} or an enum.
   *
   * @param keys 1 to {@value PageOrder#KEYS_MAX} different columns
   */
  record Plain(List<Key> keys) implements PageOrder {
    /** Checks that there are columns, and no duplicates. */
    public Plain {
      keys = List.copyOf(keys);
      Set<String> columns = new HashSet<>();
      keys.forEach(key -> columns.add(key.column()));
      if (keys.isEmpty() || keys.size() > KEYS_MAX || columns.size() < keys.size()) {
        throw new IllegalArgumentException(
            "order by %s: expected 1 to %s different columns".formatted(keys, KEYS_MAX));
      }
    }
  }
}
