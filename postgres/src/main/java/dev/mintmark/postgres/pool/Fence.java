package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one instance knows of the history of the database, so that no value is granted by a database
 * that went back until the pool is settled (V3__epochs.sql says what an epoch is).
 *
 * <p>Each claim carries the epoch and the greatest token that this instance knows, and the database
 * compares them with what it has before it grants: nothing has to be taken back. There are two
 * memories. That of the database has the timeline on which it was seen last: it finds a failover
 * even if no instance outlives it. That of the instance is not set back with the database: it finds
 * an epoch that is missing, or a token. What neither remembers is not found: a database that goes
 * back to the very timeline it was seen on, while no instance runs.
 *
 * <p>Safe for use by many threads.
 */
final class Fence {
  private static final SqlFile LOCK_EPOCHS = SqlFile.load(Fence.class, "lock_epochs");
  private static final SqlFile LOAD_EPOCHS = SqlFile.load(Fence.class, "load_epochs");
  private static final SqlFile BEGIN_EPOCH = SqlFile.load(Fence.class, "begin_epoch");
  private static final SqlFile ADOPT_EPOCH = SqlFile.load(Fence.class, "adopt_epoch");

  private final PoolDatabase database;
  private final Consumer<Failover> found;

  /** The epochs that were in the database when this instance last looked, now or before. */
  private final Set<UUID> seenEpochs = new HashSet<>();

  /** Held while the database is asked: epochs are adopted in the order in which it answered. */
  private final ReentrantLock adopting = new ReentrantLock();

  private volatile Known known = new Known(null, 0);

  /**
   * @param found is told when the database has begun another history than the one known
   */
  Fence(PoolDatabase database, Consumer<Failover> found) {
    this.database = database.prompt();
    this.found = found;
  }

  private record Epoch(
      UUID id,
      @Nullable String timeline,
      @Nullable Long system,
      boolean wentBack,
      long lastToken) {}

  /**
   * An epoch that the database was in when this instance looked, and the greatest tokens of claims
   * that were seen since, in any pool. Statements carry both, so that the database grants nothing
   * if it is in another epoch, or has not drawn such a token. Safe for use by many threads.
   *
   * <p>The last token that was drawn does not count: a claim that waits for a synchronous standby
   * has drawn it, and may be lost.
   */
  static final class Known {
    private final @Nullable Epoch epoch;
    private final AtomicLong seenToken;

    /** Of claims that were found when the database was in another epoch, or may have been. */
    private final AtomicLong otherToken = new AtomicLong();

    private volatile boolean over;

    private Known(@Nullable Epoch epoch, long seenToken) {
      this.epoch = epoch;
      this.seenToken = new AtomicLong(seenToken);
    }

    /** The parameters with which a statement names what this instance knows. */
    List<Bind> binds() {
      return List.of(
          bind("epoch", epoch == null ? null : epoch.id.toString()),
          bind("seen_token", seenToken.get()));
    }

    /**
     * A token was seen that was drawn in this epoch or before.
     *
     * @return whether the answer with the token may be believed. Otherwise the database has begun
     *     another epoch since, and it must be asked again: what it answered may be lost.
     */
    boolean saw(long token) {
      raise(seenToken, token);
      return !over;
    }

    /** A token was seen that may have been drawn in a later epoch. */
    void sawOther(long token) {
      raise(otherToken, token);
    }

    private static void raise(AtomicLong greatest, long token) {
      if (token > greatest.get()) {
        greatest.accumulateAndGet(token, Math::max);
      }
    }

    private Seen seen() {
      return new Seen(seenToken.get(), otherToken.get());
    }

    /** No answer is believed any more; returns what was seen in those that were. */
    private Seen end() {
      over = true;
      return seen();
    }
  }

  /**
   * The greatest tokens that were seen before the database was asked.
   *
   * @param token of those that belong to the known epoch or to earlier ones
   * @param other of the others
   */
  private record Seen(long token, long other) {
    long greatest() {
      return Math.max(token, other);
    }
  }

  /** The epochs in their order, and where the database is now. */
  private record History(
      List<Epoch> epochs, @Nullable String timeline, @Nullable Long system, long lastToken) {
    Epoch latest() {
      return epochs.get(epochs.size() - 1);
    }

    /** The last token that was drawn before the epoch at an index ended. */
    long lastTokenOf(int index) {
      return index + 1 < epochs.size() ? epochs.get(index + 1).lastToken : lastToken;
    }

    /** Whether the server is not where the latest epoch began. A server may not say. */
    boolean hasMoved() {
      return !Objects.equals(timeline, latest().timeline) || isOtherSystem();
    }

    boolean isOtherSystem() {
      Long before = latest().system;
      return before != null && system != null && !before.equals(system);
    }

    /** Timelines ascend, within one cluster. */
    boolean isEarlierTimeline() {
      String before = latest().timeline;
      return before != null
          && timeline != null
          && !isOtherSystem()
          && timeline.compareTo(before) < 0;
    }
  }

  /** The epoch that is known, for the parameters of one statement and for its answer. */
  Known known() {
    return known;
  }

  /** The greatest token that was seen in the epoch that is known. */
  long seenToken() {
    return known.seenToken.get();
  }

  /** Whether the server says which timeline it is on. Otherwise only tokens are watched. */
  boolean watchesTimeline() {
    Epoch epoch = known.epoch;
    return epoch != null && epoch.timeline != null;
  }

  /**
   * Compares what is known with what the database has. Begins an epoch, one instance at a time, if
   * the database is not where the latest one began, or has lost something that this instance saw
   * and nobody has begun one for that.
   *
   * @return whether the database has another epoch than was known
   */
  boolean check() {
    Known before = known;
    Seen seen = before.seen();
    History history = load(database.single(Fence::query));
    if (history.latest().equals(before.epoch) && !mustBegin(history, before, seen)) {
      var unused = before.saw(seen.other); // It is not of a later epoch: there is none.
      return false;
    }
    adopting.lock();
    try {
      Known present = known;
      return !Objects.equals(present.epoch, before.epoch) || adopt(present);
    } finally {
      adopting.unlock();
    }
  }

  /**
   * Looks again, one session at a time, begins an epoch if one must begin, and knows the latest.
   */
  private boolean adopt(Known before) {
    AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
    AtomicBoolean began = new AtomicBoolean();
    History present;
    try {
      present =
          database.transaction(
              statements -> {
                statements.query(LOCK_EPOCHS, row -> "");
                // Not sooner: answers are believed while this waits.
                seen.compareAndSet(null, before.end());
                Seen ended = Objects.requireNonNull(seen.get());
                History locked = load(query(statements));
                began.set(mustBegin(locked, before, ended));
                if (!began.get()) {
                  return locked;
                }
                begin(locked, before, ended, statements);
                return load(query(statements));
              },
              done -> true);
    } catch (RuntimeException | Error e) {
      // The database may turn out to be in the same epoch.
      Seen ended = seen.get();
      if (ended != null) {
        know(before.epoch, ended.token, before);
      }
      throw e;
    }
    return adopt(present, before, Objects.requireNonNull(seen.get()), began.get());
  }

  /** Knows an epoch from now on, and remembers what was seen elsewhere. */
  private void know(@Nullable Epoch epoch, long seenToken, Known before) {
    Known next = new Known(epoch, seenToken);
    known = next;
    next.sawOther(before.otherToken.get());
  }

  /** Begins an epoch in a database that was restored, as {@link Pools#restored} says. */
  static void restored(PoolDatabase database, boolean complete) {
    boolean unused =
        database.transaction(
            statements -> {
              statements.query(LOCK_EPOCHS, row -> "");
              statements.update(ADOPT_EPOCH, bind("all", false));
              statements.update(BEGIN_EPOCH, bind("went_back", !complete));
              PoolQuarantine.jumpTokens(0, statements);
              if (complete) {
                statements.update(ADOPT_EPOCH, bind("all", true));
              }
              return true;
            },
            done -> true);
  }

  private boolean mustBegin(History history, Known before, Seen seen) {
    return history.hasMoved() || hasLost(history, before, seen);
  }

  /**
   * Whether something that this instance saw is missing, and no epoch has begun for that. An epoch
   * that this instance does not know began after the one it knows; or, if that one is missing,
   * after the database went back: what the instance knows has no other ancestors.
   */
  private synchronized boolean hasLost(History history, Known before, Seen seen) {
    if (before.epoch == null) {
      return false;
    }
    int at = history.epochs.indexOf(before.epoch);
    if (at >= 0 && history.lastTokenOf(at) >= seen.token && history.lastToken >= seen.other) {
      return false;
    }
    return history.epochs.stream()
        .noneMatch(epoch -> epoch.wentBack && !seenEpochs.contains(epoch.id));
  }

  private void begin(History history, Known before, Seen seen, Statements statements)
      throws SQLException {
    boolean wentBack = history.isEarlierTimeline() || hasLost(history, before, seen);
    statements.update(BEGIN_EPOCH, bind("went_back", wentBack));
    PoolQuarantine.jumpTokens(
        Math.max(seen.greatest(), tokenOfLostEpoch(history, before)), statements);
  }

  /**
   * Where the tokens of the known epoch began, if it is missing: they may have gone on from there.
   */
  private static long tokenOfLostEpoch(History history, Known before) {
    return before.epoch == null || history.epochs.contains(before.epoch)
        ? 0
        : before.epoch.lastToken + PoolQuarantine.TOKEN_JUMP;
  }

  /**
   * @param began whether the latest epoch began here
   */
  private boolean adopt(History history, Known before, Seen seen, boolean began) {
    Epoch latest = history.latest();
    synchronized (this) {
      history.epochs.forEach(epoch -> seenEpochs.add(epoch.id));
    }
    boolean isKnown = latest.equals(before.epoch);
    // The tokens of an epoch that is over were compared with where it ended.
    know(latest, isKnown ? seen.greatest() : seen.other, before);
    if (isKnown) {
      return false;
    }
    Epoch earlier =
        before.epoch == null && began
            ? history.epochs.get(history.epochs.size() - 2)
            : before.epoch;
    if (earlier != null) {
      found.accept(
          new Failover(
              Optional.ofNullable(earlier.timeline),
              Optional.ofNullable(latest.timeline),
              latest.wentBack));
    }
    return true;
  }

  private record Row(Epoch epoch, @Nullable String timeline, @Nullable Long system, long token) {}

  private static List<Row> query(Statements statements) throws SQLException {
    return statements.query(LOAD_EPOCHS, Fence::read);
  }

  private static History load(List<Row> rows) {
    if (rows.isEmpty()) {
      throw new PoolUnavailableException(
          "all pools: mintmark.pool_epoch has no rows: what the database went through is not known;"
              + " restore the table, or run the last statements of V3__epochs.sql again");
    }
    Row any = rows.get(0);
    return new History(rows.stream().map(Row::epoch).toList(), any.timeline, any.system, any.token);
  }

  private static Row read(ResultSet row) throws SQLException {
    Epoch epoch =
        new Epoch(
            row.getObject("epoch", UUID.class),
            row.getString("timeline"),
            row.getObject("system_identifier", Long.class),
            row.getBoolean("went_back"),
            row.getLong("last_token"));
    return new Row(
        epoch,
        row.getString("timeline_now"),
        row.getObject("system_identifier_now", Long.class),
        row.getLong("last_token_now"));
  }
}
