package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;
import static dev.mintmark.postgres.internal.Transactions.Bind.bindTime;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps one pool, or all pools: claims whose lease has ended, values whose quarantine has ended,
 * free values that are not handed out any more, and history that is too old. Safe for use by many
 * threads.
 */
final class PoolSweep {
  private static final SqlFile SWEEP = SqlFile.load(PoolSweep.class, "sweep");
  private static final SqlFile WITHDRAW = SqlFile.load(PoolSweep.class, "withdraw");
  private static final SqlFile PRUNE_NOTES = SqlFile.load(PoolSweep.class, "prune_notes");
  private static final SqlFile PRUNE_USAGE = SqlFile.load(PoolSweep.class, "prune_usage");
  private static final SqlFile PRUNE = SqlFile.load(PoolSweep.class, "prune");

  /** The most rows of each sort that one statement moves in a pool. */
  private static final int BATCH = 10_000;

  /** The same for a sweep that claims wait for. */
  private static final int PROMPT_BATCH = 1_000;

  private static final long PRUNE_EVERY_NANOS = 60_000_000_000L;
  private static final long PRUNE_NOTES_EVERY_NANOS = 60 * PRUNE_EVERY_NANOS;

  private final AtomicLong prunedNanos = new AtomicLong(System.nanoTime() - PRUNE_EVERY_NANOS);
  private final AtomicLong prunedNotesNanos =
      new AtomicLong(System.nanoTime() - PRUNE_NOTES_EVERY_NANOS);
  private final PoolDatabase database;
  private final Bind poolId;
  private final IntConsumer woken;
  private final int batch;

  private PoolSweep(PoolDatabase database, @Nullable Integer poolId, IntConsumer woken, int batch) {
    this.database = database;
    this.poolId = bind("pool_id", poolId);
    this.woken = woken;
    this.batch = batch;
  }

  /**
   * A sweep of one pool, in small steps, because claims wait for it.
   *
   * @param woken receives the id of each pool that has free values again
   */
  static PoolSweep ofOne(PoolDatabase database, int poolId, IntConsumer woken) {
    return new PoolSweep(database.prompt(), poolId, woken, PROMPT_BATCH);
  }

  /**
   * A sweep of all pools.
   *
   * @param woken receives the id of each pool that has free values again
   */
  static PoolSweep ofAll(PoolDatabase database, IntConsumer woken) {
    return new PoolSweep(database, null, woken, BATCH);
  }

  /** Ends leases and quarantines that are over. Returns how many values became free. */
  long run() {
    long freed = 0;
    while (true) {
      Swept swept =
          database.query(SWEEP, PoolSweep::readSwept, poolId, bind("batch", batch)).get(0);
      swept.woken.forEach(woken::accept);
      freed += swept.freed;
      if (Math.max(swept.ended, swept.freed) < batch) {
        return freed;
      }
    }
  }

  private record Swept(long ended, long freed, List<Integer> woken) {}

  private static Swept readSwept(ResultSet row) throws SQLException {
    return new Swept(
        row.getLong("ended"),
        row.getLong("freed"),
        Arrays.asList((Integer[]) row.getArray("woken").getArray()));
  }

  /** Withdraws free values that are not handed out any more. */
  void withdraw() {
    int unused =
        database.transactionWithoutRepeat(statements -> withdraw(statements, poolId), done -> true);
  }

  /**
   * As {@link #withdraw()}, as a part of a transaction. Returns how many blocks had such values.
   */
  static int withdraw(Statements statements, Bind poolId) throws SQLException {
    return statements.update(WITHDRAW, poolId);
  }

  /**
   * Deletes the history and the usage that is too old, and the notes of its claims, unless it was
   * done lately.
   */
  void pruneIfDue() {
    if (isDue(prunedNanos, PRUNE_EVERY_NANOS)) {
      long unused = prune(null);
    }
    if (isDue(prunedNotesNanos, PRUNE_NOTES_EVERY_NANOS)) {
      pruneNotes();
      long unused = inBatches(PRUNE_USAGE);
    }
  }

  private static boolean isDue(AtomicLong lastNanos, long intervalNanos) {
    long last = lastNanos.get();
    long now = System.nanoTime();
    return now - last >= intervalNanos && lastNanos.compareAndSet(last, now);
  }

  /**
   * Deletes claims that have ended from the history. Returns how many.
   *
   * @param before those that ended before this time; null: those older than the pool's history
   */
  long prune(@Nullable Instant before) {
    return inBatches(PRUNE, bindTime("before", Optional.ofNullable(before)));
  }

  /** Deletes the notes of claims that are neither held nor in the history. */
  void pruneNotes() {
    long unused = inBatches(PRUNE_NOTES);
  }

  private long inBatches(SqlFile statement, Bind... binds) {
    Bind[] all = Arrays.copyOf(binds, binds.length + 2);
    all[binds.length] = poolId;
    all[binds.length + 1] = bind("batch", batch);
    long prunedInAll = 0;
    long pruned;
    do {
      pruned = database.query(statement, row -> row.getLong("pruned"), all).get(0);
      prunedInAll += pruned;
    } while (pruned >= batch);
    return prunedInAll;
  }
}
