package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.internal.Transactions.Work;
import dev.mintmark.postgres.pool.PoolStore.StoredPool;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Changes of a pool while clients claim: its settings, its blocks and its exclusions. Each locks
 * the row of the pool, and wakes the instances that wait for its values. Safe for use by many
 * threads.
 */
final class PoolChanges {
  private static final SqlFile SETTLE = SqlFile.load(PoolChanges.class, "settle");

  private final DatabasePools pools;

  PoolChanges(DatabasePools pools) {
    this.pools = pools;
  }

  PoolSpec change(Pool pool, UnaryOperator<PoolSpec> change) {
    PoolSpec changed =
        inTransaction(
            pool,
            statements -> {
              PoolSpec before =
                  loadLocked(pool, statements).spec().withDatabase(pool.spec().database());
              PoolSpec after = change.apply(before);
              if (!after.database().equals(before.database())) {
                throw new IllegalArgumentException(
                    "pool \"%s\": its database is no setting: PoolMove moves it"
                        .formatted(pool.name()));
              }
              PoolSupply.checkSame(before, after);
              if (!after.name().equals(before.name())
                  || !after.blocks().equals(before.blocks())
                  || !after.exclude().equals(before.exclude())) {
                throw new IllegalArgumentException(
                    "pool \"%s\": its name, blocks and exclusions are no settings"
                        .formatted(pool.name()));
              }
              pools.supplies().check(after, Optional.of(before));
              PoolStore.change(statements, pool.id(), after);
              return after;
            });
    pools.changed(pool);
    return changed;
  }

  void addBlock(Pool pool, Block block, List<Block> exclude) {
    requireOwnBlocks(pool);
    for (Block one : exclude) {
      if (!one.overlaps(block)) {
        throw new IllegalArgumentException(
            "block %s: the exclusion %s lies outside".formatted(block, one));
      }
    }
    boolean unused =
        inTransaction(
            pool,
            statements -> {
              PoolSpec spec = loadLocked(pool, statements).spec();
              PoolStore.checkTogether(spec, block, exclude);
              List<Block> whole = PoolStore.concat(spec.exclude(), exclude);
              PoolStore.addBlocks(statements, pool.id(), List.of(block), whole);
              return true;
            });
    pools.changed(pool);
    pools.issueFirst(pool.name());
  }

  boolean drain(Pool pool, String block, boolean draining) {
    requireBlock(pool, block);
    boolean changed =
        inTransaction(pool, statements -> PoolStore.drain(statements, pool.id(), block, draining));
    if (draining) {
      settle(pool, block);
    }
    pools.changed(pool);
    return changed;
  }

  /** Waits for claims in progress, which may have seen the block before it was drained. */
  private void settle(Pool pool, String block) {
    int unused =
        inTransaction(
            pool,
            statements -> {
              Bind id = pool.context().poolId();
              statements.query(SETTLE, row -> "", id, bind("declared", block));
              return PoolSweep.withdraw(statements, id);
            });
    SliceStore.awaitWithdrawn(pool.context());
  }

  boolean exclude(Pool pool, List<Block> values) {
    requireOwnBlocks(pool);
    boolean changed =
        inTransaction(
            pool,
            statements ->
                !PoolExclusions.exclude(statements, loadLocked(pool, statements), values)
                    .isEmpty());
    settleExclusions(pool);
    pools.changed(pool);
    return changed;
  }

  boolean include(Pool pool, List<Block> values) {
    requireOwnBlocks(pool);
    boolean changed =
        inTransaction(
            pool,
            statements -> PoolExclusions.include(statements, loadLocked(pool, statements), values));
    pools.changed(pool);
    return changed;
  }

  void settleExclusions(Pool pool) {
    boolean unused =
        inTransaction(
            pool,
            statements -> {
              PoolExclusions.settle(statements, pool.id());
              return true;
            });
    SliceStore.awaitWithdrawn(pool.context());
  }

  boolean removeBlock(Pool pool, String block) {
    requireOwnBlocks(pool);
    requireBlock(pool, block);
    pool.context().sweep().withdraw();
    boolean removed =
        inTransaction(
            pool,
            statements -> {
              PoolLayout layout = loadLocked(pool, statements).layout();
              if (layout.declared().allMatch(block::equals)) {
                throw new IllegalArgumentException(
                    "pool \"%s\" has no block but %s: delete the pool"
                        .formatted(pool.name(), Quoted.of(block)));
              }
              long parts =
                  layout.blocks().stream().filter(part -> part.declared().equals(block)).count();
              return PoolStore.removeBlock(statements, pool.id(), block) == parts;
            },
            done -> done);
    pools.changed(pool);
    return removed;
  }

  /** Reads a pool and locks its row until the transaction ends. */
  private static StoredPool loadLocked(Pool pool, Statements statements) throws SQLException {
    pool.context().lock(statements);
    return PoolStore.load(statements, pool.name(), Optional.empty()).orElseThrow();
  }

  private static void requireOwnBlocks(Pool pool) {
    Optional<PoolSpec.Source> source = pool.spec().source();
    if (source.isPresent()) {
      throw new IllegalArgumentException(
          "pool \"%s\" gets its blocks from pool %s: none is added, removed or excluded here"
              .formatted(pool.name(), Quoted.of(source.get().pool())));
    }
  }

  private static void requireBlock(Pool pool, String block) {
    PoolLayout layout = pool.context().reload().layout();
    if (layout.declared().noneMatch(block::equals)) {
      throw new IllegalArgumentException(
          "pool \"%s\" has no block %s: it has %s"
              .formatted(pool.name(), Quoted.of(block), layout.declared().toList()));
    }
  }

  private static <T> T inTransaction(Pool pool, Work<T> work) {
    return inTransaction(pool, work, result -> true);
  }

  private static <T> T inTransaction(Pool pool, Work<T> work, Predicate<T> keep) {
    PoolContext context = pool.context();
    return context.ifKnown(() -> context.database().transactionWithoutRepeat(work, keep));
  }
}
