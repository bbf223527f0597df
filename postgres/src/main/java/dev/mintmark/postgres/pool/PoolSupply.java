package dev.mintmark.postgres.pool;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.ManyClaims.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Supplies the pools of a database that have no blocks of their own: each claims runs or prefixes
 * of another pool, its source, which may be in another database, and each of those is a block of it
 * for as long as the claim lasts (V13__supplies.sql).
 *
 * <pre>
 *   source                                  supplied pool
 *                                           1  asked: a name that is used once is written down
 *   2  a run is claimed by that name
 *                                           3  used: one transaction adds the block
 *   4  the claim is renewed  --each minute-->  the block ends later
 *                                           5  drained, because it is not needed; when no value of
 *                                              it is used, it is removed: returned
 *   6  the claim is released
 * </pre>
 *
 * <p>It may be interrupted at any step, and any number of programs may do it at the same time.
 * Whoever comes later goes on: the step after is recorded in the database of the supplied pool, or
 * can be repeated.
 *
 * <p>How long a block lasts is counted by the clock of its own database, from before the source is
 * asked, so that it does not matter how long the answer takes and whether the two clocks agree.
 *
 * <p>Safe for use by many threads.
 */
final class PoolSupply {
  private static final SqlFile SUPPLY_POOLS = SqlFile.load(PoolSupply.class, "supply_pools");

  private final DatabasePools pools;
  private final AtomicBoolean expected = new AtomicBoolean();

  PoolSupply(DatabasePools pools) {
    this.pools = pools;
  }

  /** The next {@link #runIfExpected} supplies the pools: one may lack values. */
  void expect() {
    expected.set(true);
  }

  /** Supplies the pools if that was expected since the last run; whether it was. */
  boolean runIfExpected() {
    boolean isExpected = expected.getAndSet(false);
    if (isExpected) {
      run();
    }
    return isExpected;
  }

  /** Supplies all pools, as {@link Pools#supply} says. */
  void run() {
    List<PoolUnavailableException> failures = new ArrayList<>();
    for (String name : names()) {
      try {
        supply(name);
      } catch (PoolUnavailableException | UnknownPoolException | IllegalArgumentException e) {
        failures.add(failure(name, e));
      }
    }
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }

  private List<String> names() {
    return pools.database().prompt().query(SUPPLY_POOLS, row -> row.getString("name"));
  }

  private static PoolUnavailableException failure(String name, RuntimeException e) {
    PoolUnavailableException failure =
        new PoolUnavailableException(
            "blocks of pool %s: %s".formatted(Quoted.of(name), e.getMessage()));
    failure.initCause(e);
    return failure;
  }

  private void supply(String name) {
    Pool pool = pools.open(name);
    Optional<PoolSpec.Source> declared = pool.spec().source();
    if (declared.isPresent()) {
      Optional<Pool> source = find(declared.get().pool());
      if (source.isPresent()) {
        new SupplyRound(pool, source.get()).run();
      }
    }
  }

  /** The source of a pool. Empty if it is not in this database, and this program has no other. */
  private Optional<Pool> find(String source) {
    try {
      return Optional.of(pools.all().open(source));
    } catch (UnknownPoolException e) {
      if (pools.all() == pools) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The values of its source that a pool has as blocks, by their claims there. */
  static List<Named> used(Pool pool) {
    return pool.spec().source().isEmpty()
        ? List.of()
        : SupplyRound.used(pool.context().prompt(), pool.context().poolId());
  }

  /**
   * Releases what a pool had, after it was deleted without a value being held. What cannot be
   * released now is released when its lease ends.
   */
  void release(Pool deleted, List<Named> used) {
    try {
      Optional<Pool> source = deleted.spec().source().flatMap(declared -> find(declared.pool()));
      source.ifPresent(from -> used.forEach(claim -> from.release(claim.value(), claim.token())));
    } catch (PoolUnavailableException | UnknownPoolException e) {
      // The pool is deleted nevertheless.
    }
  }

  /**
   * Checks that a declared pool can have its source, as {@link #check} does, whether it exists or
   * not.
   */
  void checkDeclared(PoolSpec spec) {
    if (spec.source().isPresent()) {
      check(
          spec,
          PoolStore.load(pools.database(), spec.name(), Optional.empty())
              .map(PoolStore.StoredPool::spec));
    }
  }

  /**
   * Checks that a pool can have its source, if it has one.
   *
   * @param before the pool as it is; the source is not asked if nothing has changed that it depends
   *     on
   * @throws IllegalArgumentException if it cannot
   */
  void check(PoolSpec spec, Optional<PoolSpec> before) {
    if (spec.source().isEmpty()) {
      return;
    }
    String source = spec.source().get().pool();
    boolean hasItsBlocks = before.filter(it -> it.blocks().equals(spec.blocks())).isPresent();
    if (!spec.blocks().isEmpty() && !hasItsBlocks) {
      throw wrong(spec, "it gets its blocks from pool %s: expected none", source);
    }
    boolean isSame =
        before.isPresent()
            && before.get().lease().equals(spec.lease())
            && before.get().quarantine().equals(spec.quarantine())
            && before.get().ipv6().equals(spec.ipv6());
    if (!isSame) {
      var unused = spec.requireSuppliedBy(sourceOf(spec, source));
    }
  }

  private PoolSpec sourceOf(PoolSpec spec, String source) {
    try {
      return pools.all().open(source).context().freshSpec();
    } catch (UnknownPoolException e) {
      throw wrong(spec, "its blocks come from pool %s: no such pool", source);
    }
  }

  private static IllegalArgumentException wrong(PoolSpec spec, String why, String source) {
    return new IllegalArgumentException(
        "pool %s: %s".formatted(Quoted.of(spec.name()), why.formatted(Quoted.of(source))));
  }

  /**
   * Checks that a pool keeps the source that it has, or its blocks.
   *
   * @throws IllegalArgumentException if another source is declared
   */
  static void checkSame(PoolSpec before, PoolSpec after) {
    Optional<String> source = before.source().map(PoolSpec.Source::pool);
    if (!source.equals(after.source().map(PoolSpec.Source::pool))) {
      throw new IllegalArgumentException(
          "pool %s %s, which cannot change"
              .formatted(
                  Quoted.of(before.name()),
                  source
                      .map(pool -> "gets its blocks from pool " + Quoted.of(pool))
                      .orElse("has blocks of its own")));
    }
  }
}
