package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.PoolStore.StoredPool;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes what a pool does not hand out. The methods are parts of a transaction.
 *
 * <p>The transaction that changes the exclusions commits first: statements that begin later do not
 * grant what is excluded. Then {@link #settle}, in a transaction of its own, waits for the
 * statements that began earlier.
 */
final class PoolExclusions {
  private static final SqlFile SET_EXCLUSIONS =
      SqlFile.load(PoolExclusions.class, "set_exclusions");
  private static final SqlFile SETTLE_EXCLUSIONS =
      SqlFile.load(PoolExclusions.class, "settle_exclusions");

  private PoolExclusions() {}

  /**
   * Excludes the values of some blocks. The caller has locked the pool.
   *
   * @return those that had a value of the pool that was not excluded
   * @throws IllegalArgumentException if one of them cannot be excluded from the pool
   */
  static List<Block> exclude(Statements statements, StoredPool pool, List<Block> asked)
      throws SQLException {
    check(pool.spec(), asked);
    List<Block> added = new ArrayList<>();
    for (Block one : asked) {
      List<Block> before = PoolStore.concat(pool.spec().exclude(), added);
      if (!PoolStore.overlapping(rest(List.of(one), before), pool.spec().blocks()).isEmpty()) {
        added.add(one);
      }
    }
    check(pool.spec(), PoolStore.concat(pool.spec().exclude(), added));
    set(statements, pool, PoolStore.concat(changeable(pool), added));
    return added;
  }

  /**
   * Ends the exclusion of the values of some blocks. The caller has locked the pool.
   *
   * @return whether any of them was excluded
   * @throws IllegalArgumentException if one of them lies in no block, or has a value that has no
   *     place
   */
  static boolean include(Statements statements, StoredPool pool, List<Block> asked)
      throws SQLException {
    check(pool.spec(), asked);
    for (StoredBlock block : pool.layout().blocks()) {
      for (Block fixed : PoolStore.overlapping(block.exclusions().fixed(), asked)) {
        throw new IllegalArgumentException(
            ("pool \"%s\": block %s was added without %s by a version of Mintmark that could not change"
                    + " exclusions: drain it, remove it and add it again")
                .formatted(pool.spec().name(), block.declared(), fixed));
      }
    }
    List<Block> before = changeable(pool);
    List<Block> after =
        rest(before, asked).stream()
            .filter(one -> pool.spec().blocks().stream().anyMatch(one::overlaps))
            .toList();
    check(pool.spec(), after);
    set(statements, pool, after);
    return !after.equals(before);
  }

  /**
   * Waits for claims in progress, which may not have seen the exclusions. After this transaction no
   * excluded value is granted.
   */
  static void settle(Statements statements, int poolId) throws SQLException {
    statements.query(SETTLE_EXCLUSIONS, row -> "", bind("pool_id", poolId));
    PoolSweep.withdraw(statements, bind("pool_id", poolId));
  }

  /** Blocks without the values of others. */
  static List<Block> rest(List<Block> blocks, List<Block> without) {
    List<Block> rest = blocks;
    for (Block one : without) {
      rest = rest.stream().flatMap(block -> block.without(one).stream()).toList();
    }
    return rest;
  }

  private static void check(PoolSpec spec, List<Block> exclude) {
    PoolSpec unused = spec.withExclude(exclude);
  }

  private static List<Block> changeable(StoredPool pool) {
    return pool.layout().blocks().stream()
        .flatMap(block -> block.exclusions().changeable().stream())
        .distinct()
        .toList();
  }

  private static void set(Statements statements, StoredPool pool, List<Block> exclusions)
      throws SQLException {
    PoolStore.lockBlocks(statements, pool.id());
    for (StoredBlock block : pool.layout().blocks()) {
      List<Block> ofBlock = PoolStore.overlapping(exclusions, List.of(block.block()));
      if (!ofBlock.equals(block.exclusions().changeable())) {
        statements.update(
            SET_EXCLUSIONS,
            bind("pool_id", pool.id()),
            bind("block_id", block.id()),
            bind("exclusions", PoolStore.texts(ofBlock)),
            bind("excluded_places", block.placesOf(ofBlock).toMultirange()));
      }
    }
  }
}
