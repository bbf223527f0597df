package dev.mintmark.postgres.page;

import dev.mintmark.postgres.internal.SqlName;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * In what order rows are read, and with that, what their pages promise. In front of it always stand
 * the scope's columns, each equal to one value.
 *
 * <pre>
 *   order          rows in the order of    guarantee  needs
 *   byMintedId     (scope, id)             GAP_FREE   ids minted by a default of the column; see
 *                                                     {@link MintedId}
 *   byTransaction  (scope, xid, id)        GAP_FREE   a column of type xid8; see {@link Transaction}
 *   byWindow       (scope, xid, id),       GAP_FREE   the same, and a primary; see {@link Window}
 *                  window after window
 *   plain          (scope, any columns)    PLAIN      a unique last column
 * </pre>
 *
 * <p>The guarantee is for rows whose scope, transaction column and id do not change once committed.
 * An index on the scope's columns and those of the order makes each page an index scan ({@link
 * KeysetPages#indexStatements}).
 */
public sealed interface PageOrder {
  /** Columns of a plain order at most. */
  int KEYS_MAX = 8;

  /**
   * Rows in the order of ids that the server minted: nothing but the id's column is needed.
   *
   * <p>You declare with it that every id of the table comes from the column's default, in the
   * transaction that inserts the row: none is made by a client, copied in, or moved from another
   * table. That the default is a mint is checked, what clients do cannot be.
   */
  static MintedId byMintedId(String id) {
    return new MintedId(id, MintedId.CLOCK_SLACK, Optional.empty());
  }

  /**
   * Rows in the order of the transactions that inserted them, up to the oldest one still open.
   *
   * @param xid a column {@code xid8 not null default pg_current_xact_id()}, as {@link XidColumn}
   *     adds it
   */
  static Transaction byTransaction(String xid, String id) {
    return new Transaction(xid, id);
  }

  /**
   * Rows of all transactions that ended since the last time, whatever is open: forwards only.
   *
   * @param xid as for {@link #byTransaction}
   */
  static Window byWindow(String xid, String id) {
    return new Window(xid, id);
  }

  /**
   * Rows in any order, without a guarantee.
   *
   * @param keys the columns, none of which may be nullable; the last makes them unique within the
   *     scope, by a unique index
   */
  static Plain plain(Key... keys) {
    return new Plain(Arrays.asList(keys));
  }

  /** A column of a plain order, smallest value first. */
  static Key ascending(String column) {
    return new Key(column, false);
  }

  /** A column of a plain order, greatest value first. */
  static Key descending(String column) {
    return new Key(column, true);
  }

  /** The columns, in the order that counts. */
  List<Key> keys();

  /** What pages in this order promise. */
  default Guarantee guarantee() {
    return this instanceof Plain ? Guarantee.PLAIN : Guarantee.GAP_FREE;
  }

  /** A column and its direction. */
  record Key(String column, boolean descending) {
    /** Checks that it can be a column's name. */
    public Key {
      SqlName.quoted(column);
    }
  }

  /**
   * The order {@code (scope, id)}, up to a time below which no id can appear any more.
   *
   * <p><b>Why it holds.</b> Before the page's snapshot is taken, H is read: the earliest of the
   * reader's own transaction start and of {@code xact_start} of every session of this database.
   * Take any transaction T that mints an id, and the moment at which its session is looked at.
   *
   * <ul>
   *   <li>T is open: H is not later than T's start, and T minted or will mint after that.
   *   <li>T has ended: PostgreSQL makes a commit visible before it takes back {@code xact_start},
   *       so the page's snapshot, taken later, sees T's rows.
   *   <li>T has begun, but not told so yet, or begins later: it mints after it has told so, so
   *       after this moment, and that is after the reader's own start, so not before H.
   * </ul>
   *
   * <p>So every id minted at H or later may come, and every id minted before H is visible or never
   * will be. Ids have milliseconds, so H is cut to milliseconds, and {@code clockSlack} is taken
   * off for a clock that steps back between one transaction's start and another's mint. A mint that
   * runs ahead of the clock, as those do that ascend, only makes its rows wait. Subtransactions
   * have their transaction's start; whether and when a transaction gets an xid has no part in it.
   *
   * <p><b>Conditions</b>, each looked at for every page: the transaction is {@code read committed},
   * since H must be read before the snapshot is taken; the server is a primary, since a standby
   * does not show the primary's sessions; no transaction is prepared in this database, since those
   * have no session; the reader has the privileges of {@code pg_read_all_stats}, and no session has
   * {@code track_activities} off, since the start would be hidden; the column's default is a call
   * without arguments of a function named {@code ulid}, {@code ulid_monotonic} or {@code uuidv7};
   * the table is no subscription's and has no foreign part; the server's clock is not behind what
   * the cursor has seen, by more than the slack. Where one fails the page is refused with {@link
   * PageRefusedException}, or {@linkplain #orByTransaction read otherwise}.
   *
   * <p>Autovacuum does not hold pages back: it inserts no rows. Everything else does that is open
   * in this database, as in {@code idle in transaction}, read-only or not; other databases do not.
   *
   * @param id the column, of type {@code uuid}
   * @param clockSlack how far the server's clock may step back, 1 ms to 1 hour, which also covers
   *     what a mint rounds away; rows are given that much later
   * @param xid where the pages go when a condition fails, if anywhere
   */
  record MintedId(String id, Duration clockSlack, Optional<String> xid) implements PageOrder {
    /** How far the clock may step back unless told otherwise. */
    public static final Duration CLOCK_SLACK = Duration.ofMillis(100);

    private static final Duration CLOCK_SLACK_MIN = Duration.ofMillis(1);
    private static final Duration CLOCK_SLACK_MAX = Duration.ofHours(1);

    /** Checks the names and the slack. */
    public MintedId {
      SqlName.quoted(id);
      xid.ifPresent(SqlName::quoted);
      if (clockSlack.compareTo(CLOCK_SLACK_MIN) < 0 || clockSlack.compareTo(CLOCK_SLACK_MAX) > 0) {
        throw new IllegalArgumentException(
            "clock slack %s: expected %s to %s"
                .formatted(clockSlack, CLOCK_SLACK_MIN, CLOCK_SLACK_MAX));
      }
    }

    /** In whole milliseconds, as ids have them. */
    long clockSlackMillis() {
      return clockSlack.plusNanos(999_999).toMillis();
    }

    /** The same for a clock that may step back as far as this. */
    public MintedId withClockSlack(Duration clockSlack) {
      return new MintedId(id, clockSlack, xid);
    }

    /**
     * The same, but where a condition fails, pages are read in the order of {@link #byTransaction}
     * instead. A cursor that comes from before then gives what its holder has not had yet, in that
     * order, and pages that go on from there stay with it: nothing is lost or repeated, but the
     * order is another from there on, as {@link Page#order} says.
     */
    public MintedId orByTransaction(String xid) {
      return new MintedId(id, clockSlack, Optional.of(xid));
    }

    @Override
    public List<Key> keys() {
      return List.of(ascending(id));
    }
  }

  /**
   * The order {@code (scope, xid, id)}, up to the oldest transaction that is open in the cluster.
   *
   * <p><b>Why it holds.</b> The default gives every row the id of its top transaction, assigned at
   * the latest then, also in subtransactions. Every transaction below {@code
   * pg_snapshot_xmin(pg_current_snapshot())} has ended, so its rows are visible or never will be,
   * and later ones have a greater id. That is so for any isolation level, for prepared
   * transactions, which count as open, and on a standby, where the bound is that of what was
   * replayed.
   *
   * <p>Held back by any transaction of the cluster that has an id, also in other databases; not by
   * those that only read.
   *
   * <p><b>Conditions</b>, each looked at for every page: the column's type and default; the cursor
   * comes from this cluster ({@code pg_control_system().system_identifier}) and not from its
   * future, as after a restore to an earlier time; no row of the scope is from the future, as after
   * a restore from another cluster ({@link XidColumn#restamp}). What cannot be seen: a server that
   * lost commits a reader had already seen, by a failover that does not wait for its standby or a
   * crash with {@code synchronous_commit} off, gives their ids again. Nobody may write the column:
   * that is yours to see to.
   *
   * @param xid the transaction column, as {@link XidColumn} adds it
   * @param id the column that makes it unique in the scope
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
   * All rows that were committed between two snapshots, in the order {@code (scope, xid, id)}, then
   * the next such window: it never waits for an open transaction.
   *
   * <p><b>Why it holds.</b> A cursor has two snapshots, as {@code pg_current_snapshot()} gives
   * them: what was seen, and how far the present window goes. A row belongs to the window in which
   * its transaction ended, and to no other. Pages within a window are read later than its end, so
   * they see all of it. Prepared transactions count as open.
   *
   * <p><b>Conditions</b>: those of {@link Transaction}, and: the server is a primary, since on a
   * standby {@code pg_current_snapshot()} does not list what is open; the transaction is {@code
   * read committed}, since an old snapshot would not see all of the window; it has not written yet,
   * since its own rows would count as given before they are committed.
   *
   * <p>After a crash of the server, or a failover, start anew: a window also counts transactions
   * that wrote nothing or were rolled back, whose ids may be given again then.
   *
   * <p>{@link Page#before} is where the page itself was read from, to read it again.
   *
   * <p>A poll looks through all index entries since the oldest transaction that was open the last
   * time, so one that stays open makes polls slower, while {@link Transaction} would wait. A cursor
   * holds the ids of the open transactions: with some 1,000 of them it becomes too long and the
   * page is refused.
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
   * The order of any columns, as they stand when a page is read.
   *
   * <p>Columns must be {@code not null}, so that there is no question where nulls go. Their types
   * may be integers, {@code numeric}, text, {@code uuid}, {@code boolean}, {@code date}, {@code
   * timestamp}, {@code timestamptz}, {@code xid8} or an enum.
   *
   * @param keys 1 to {@value PageOrder#KEYS_MAX} different columns
   */
  record Plain(List<Key> keys) implements PageOrder {
    /** Checks that there are columns, and not twice the same. */
    public Plain {
      keys = List.copyOf(keys);
      Set<String> columns = new HashSet<>();
      keys.forEach(key -> columns.add(key.column()));
      if (keys.isEmpty() || keys.size() > KEYS_MAX || columns.size() < keys.size()) {
        throw new IllegalArgumentException(
            "order by %s: expected 1 to %d different columns".formatted(keys, KEYS_MAX));
      }
    }
  }
}
