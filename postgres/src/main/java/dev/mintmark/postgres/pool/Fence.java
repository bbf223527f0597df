package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.EpochHistory.Epoch;
import dev.mintmark.postgres.pool.EpochHistory.Row;
import dev.mintmark.postgres.pool.EpochHistory.Seen;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
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
  private volatile Set<UUID> seenEpochs = Set.of();

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

    Known(@Nullable Epoch epoch, long seenToken) {
      this.epoch = epoch;
      this.seenToken = new AtomicLong(seenToken);
    }

    /** Whether this and another are of the same epoch. */
    boolean isOfEpochOf(Known other) {
      return Objects.equals(epoch, other.epoch);
    }

    /** The parameters with which a statement names what this instance knows. */
    List<Bind> binds() {
      return List.of(epochBind(), bind("seen_token", seenToken.get()));
    }

    /** The parameter that names the epoch. */
    Bind epochBind() {
      return bind("epoch", epoch == null ? null : epoch.id().toString());
    }

    /**
     * A token was seen that was drawn in this epoch or before.
     *
     * @return whether the answer with the token may be believed. Otherwise the database has begun
     *     another epoch since, and it must be asked again: what it answered may be lost.
     */
    boolean saw(long token) {
      return saw(seenToken, token);
    }

    /**
     * A token was seen that may have been drawn in a later epoch.
     *
     * @return as {@link #saw(long)}
     */
    boolean sawOther(long token) {
      return saw(otherToken, token);
    }

    private boolean saw(AtomicLong greatest, long token) {
      if (token > greatest.get()) {
        greatest.accumulateAndGet(token, Math::max);
      }
      return !over;
    }

    /** What was seen in answers that may be believed. */
    private Seen seen() {
      return new Seen(epoch, seenToken.get(), otherToken.get());
    }

    /** No answer is believed any more; returns what was seen in those that were. */
    Seen end() {
      over = true;
      return seen();
    }
  }

  /** A claim was renewed: a database that loses it must not grant its value. */
  void sawRenewed(long token) {
    var unused = known.sawOther(token);
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
    return epoch != null && epoch.timeline() != null;
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
    EpochHistory history = database.single(Fence::load);
    if (history.latest().equals(before.epoch) && !history.needsEpoch(seen, seenEpochs)) {
      var unused = before.saw(seen.other()); // It is not of a later epoch: there is none.
      return false;
    }
    adopting.lock();
    try {
      Known present = known;
      if (!Objects.equals(present.epoch, before.epoch)) {
        return true;
      }
      // Who knows no epoch has nothing to compare, and need not wait for other sessions.
      boolean mustWait = present.epoch != null || history.needsEpoch(seen, seenEpochs);
      return mustWait ? adopt(present) : adopt(history, present, present.end(), false);
    } finally {
      adopting.unlock();
    }
  }

  /** Knows an epoch, so that the first claims of this instance need not be sent twice. */
  void warmUp() {
    if (known.epoch == null) {
      boolean unused = check();
    }
  }

  /**
   * Looks again, one session at a time, begins an epoch if one must begin, and knows the latest.
   */
  private boolean adopt(Known before) {
    AtomicReference<@Nullable Seen> seen = new AtomicReference<>();
    AtomicBoolean began = new AtomicBoolean();
    EpochHistory present;
    try {
      present =
          database.transaction(
              statements -> {
                statements.query(LOCK_EPOCHS, row -> "");
                // Not sooner: answers are believed while this waits.
                seen.compareAndSet(null, before.end());
                Seen ended = Objects.requireNonNull(seen.get());
                EpochHistory locked = load(statements);
                began.set(locked.needsEpoch(ended, seenEpochs));
                if (!began.get()) {
                  return locked;
                }
                begin(locked, ended, statements);
                return load(statements);
              },
              done -> true);
    } catch (RuntimeException | Error e) {
      // The database may turn out to be in the same epoch.
      Seen ended = seen.get();
      if (ended != null) {
        know(before.epoch, ended.token(), before);
      }
      throw e;
    }
    return adopt(present, before, Objects.requireNonNull(seen.get()), began.get());
  }

  /** Knows an epoch from now on, and remembers what was seen elsewhere. */
  private void know(@Nullable Epoch epoch, long seenToken, Known before) {
    Known next = new Known(epoch, seenToken);
    known = next;
    var unused = next.sawOther(before.otherToken.get());
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

  private void begin(EpochHistory history, Seen seen, Statements statements) throws SQLException {
    statements.update(BEGIN_EPOCH, bind("went_back", history.wentBack(seen, seenEpochs)));
    PoolQuarantine.jumpTokens(history.greatestToken(seen), statements);
  }

  /**
   * @param began whether the latest epoch began here
   */
  private boolean adopt(EpochHistory history, Known before, Seen seen, boolean began) {
    Set<UUID> epochs = new HashSet<>(seenEpochs);
    history.epochs().forEach(epoch -> epochs.add(epoch.id()));
    seenEpochs = Set.copyOf(epochs);
    boolean isKnown = history.latest().equals(before.epoch);
    // The tokens of an epoch that is over were compared with where it ended.
    know(history.latest(), isKnown ? seen.greatestToken() : seen.other(), before);
    history.failoverFrom(before.epoch, began).ifPresent(found);
    return !isKnown;
  }

  private static EpochHistory load(Statements statements) throws SQLException {
    return EpochHistory.of(statements.query(LOAD_EPOCHS, Row::read));
  }
}
