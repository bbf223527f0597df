package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.Failover.Settled;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Settles all pools of a database for the latest epoch, whether anybody claims or not. Safe for use
 * by many threads.
 */
final class PoolSettlements {
  private static final SqlFile LIST_UNSETTLED =
      SqlFile.load(PoolSettlements.class, "list_unsettled");

  private final PoolDatabase database;
  private final Fence fence;
  private final IntConsumer woken;
  private final Consumer<Settled> settled;

  /** Whether some pool may not be settled. */
  private final AtomicBoolean expected = new AtomicBoolean(true);

  /**
   * @param woken receives the id of each pool that has free values again
   * @param settled is told what was done with each pool
   */
  PoolSettlements(
      PoolDatabase database, Fence fence, IntConsumer woken, Consumer<Settled> settled) {
    this.database = database;
    this.fence = fence;
    this.woken = woken;
    this.settled = settled;
  }

  /** An epoch has begun: the next run looks for pools that are not settled. */
  void expect() {
    expected.set(true);
  }

  /** Looks whether the database has begun another history, and settles the pools if it has. */
  void run() {
    var unused = fence.check();
    if (!expected.getAndSet(false)) {
      return;
    }
    boolean done = false;
    try {
      done = settleEach();
    } finally {
      if (!done) {
        expect();
      }
    }
  }

  /** False if another session has one of them in hand. */
  private boolean settleEach() {
    boolean done = true;
    List<Unsettled> pools =
        database.query(
            LIST_UNSETTLED, row -> new Unsettled(row.getInt("pool_id"), row.getString("name")));
    for (Unsettled pool : pools) {
      PoolDatabase ofPool = database.forPool(pool.name);
      PoolSweep sweep = PoolSweep.ofOne(ofPool, pool.id, woken);
      done &= new PoolSettlement(pool.name, ofPool, pool.id, sweep, settled).run();
    }
    return done;
  }

  private record Unsettled(int id, String name) {}
}
