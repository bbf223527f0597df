package dev.mintmark.app.cli;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimFilter;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares the pools of the catalog, and prints what a person should know about them. With several
 * databases, pools that cannot be declared because one does not answer are declared later, by a
 * thread of this.
 */
final class PoolDeclarations implements CloseAtExit.Resource {
  private static final Logger LOG = LoggerFactory.getLogger(PoolDeclarations.class);

  private static final Duration TRY_EVERY = Duration.ofSeconds(1);

  /** How many held values of those that a pool excludes are printed at the start. */
  private static final int HELD_SHOWN_MAX = 10;

  /** Pools before those that get their blocks from them. */
  private final List<PoolSpec> catalog;

  private final PrintWriter err;
  private volatile boolean closed;

  PoolDeclarations(List<PoolSpec> catalog, PrintWriter err) {
    this.catalog =
        catalog.stream().sorted(Comparator.comparing(pool -> pool.source().isPresent())).toList();
    this.err = err;
  }

  /** Declares all pools, in one database. */
  void declare(Pools pools) {
    catalog.forEach(pool -> declare(pool, pools));
  }

  /**
   * Declares the pools that can be declared now, in several databases, and the others as soon as
   * that is possible.
   *
   * @param pools are closed when all are declared
   * @throws IllegalArgumentException if a pool of the first database cannot be declared as it is
   */
  void declareAcross(Pools pools) {
    List<PoolSpec> pending = new ArrayList<>();
    try {
      for (PoolSpec pool : catalog) {
        if (!isDone(
            pool,
            pools,
            pending,
            why -> LOG.warn("pool {} is not declared yet: {}", pool.name(), why))) {
          pending.add(pool);
        }
      }
    } catch (RuntimeException e) {
      pools.close();
      throw e;
    }
    if (pending.isEmpty()) {
      pools.close();
      return;
    }
    Thread thread = new Thread(() -> declareLater(pending, pools), "mintmark-declare");
    thread.setDaemon(true);
    thread.start();
  }

  private void declareLater(List<PoolSpec> pending, Pools pools) {
    try (pools) {
      List<PoolSpec> left = pending;
      while (!closed && !left.isEmpty()) {
        LockSupport.parkNanos(TRY_EVERY.toNanos());
        List<PoolSpec> still = new ArrayList<>();
        for (PoolSpec pool : left) {
          if (!isDoneLater(pool, pools, still)) {
            still.add(pool);
          }
        }
        left = still;
      }
    }
  }

  private boolean isDoneLater(PoolSpec pool, Pools pools, List<PoolSpec> pending) {
    try {
      boolean done = !closed && isDone(pool, pools, pending, why -> {});
      if (done) {
        LOG.info("pool {} is declared", pool.name());
      }
      return done;
    } catch (RuntimeException e) {
      LOG.error("pool {} is not declared: {}", pool.name(), e.getMessage());
      return true;
    }
  }

  /**
   * Returns false if a database did not answer, so that the pool is to be declared again.
   *
   * @param pending pools that are to be declared again: the pool may get its blocks from one
   * @param reason receives why not
   */
  private boolean isDone(
      PoolSpec pool, Pools pools, List<PoolSpec> pending, Consumer<@Nullable String> reason) {
    try {
      declare(pool, pools);
      return true;
    } catch (PoolUnavailableException e) {
      reason.accept(e.getMessage());
      return false;
    } catch (IllegalArgumentException e) {
      if (getsBlocksFromOneOf(pending, pool)) {
        reason.accept(e.getMessage());
        return false;
      }
      boolean isOfFirst =
          pool.database().filter(name -> !name.equals(pools.databases().get(0))).isEmpty();
      if (isOfFirst) {
        throw e;
      }
      LOG.error("pool {} is not declared: {}", pool.name(), e.getMessage());
      return true;
    }
  }

  private static boolean getsBlocksFromOneOf(List<PoolSpec> pending, PoolSpec pool) {
    return pool.source().stream()
        .anyMatch(source -> pending.stream().anyMatch(one -> one.name().equals(source.pool())));
  }

  private void declare(PoolSpec pool, Pools pools) {
    Pools.Declared declared = pools.declare(pool);
    if (!declared.undeclared().isEmpty()) {
      err.println(
          "pool \"%s\": %s in the database but not in the catalog: left unchanged"
              .formatted(pool.name(), declared.undeclared()));
    }
    if (!declared.undeclaredExclusions().isEmpty()) {
      err.println(
          "pool \"%s\": %s excluded in the database but not in the catalog: left unchanged"
              .formatted(pool.name(), declared.undeclaredExclusions()));
    }
    if (!declared.excluded().isEmpty()) {
      err.println("pool \"%s\": %s excluded".formatted(pool.name(), declared.excluded()));
    }
    printHeldAlthoughExcluded(pools.open(pool.name()));
    err.flush();
  }

  /** Prints excluded values that clients hold: a gateway may be in use. */
  private void printHeldAlthoughExcluded(Pool pool) {
    List<Claim> held = pool.claims(ClaimFilter.EXCLUDED, HELD_SHOWN_MAX + 1);
    held.stream()
        .limit(HELD_SHOWN_MAX)
        .forEach(
            claim ->
                err.println(
                    "warning: pool \"%s\": %s is excluded, but client %s holds it until it is released"
                        .formatted(pool.name(), claim.value(), Quoted.of(claim.client()))));
    if (held.size() > HELD_SHOWN_MAX) {
      err.println(
          "warning: pool \"%s\": more excluded values are held: mintmark pool list %s --excluded"
              .formatted(pool.name(), pool.name()));
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
