package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The pools that the catalog declares, in the database of the application, or in several.
 *
 * <p>Pools of a database without a name are those of the first database of the catalog. Pools of
 * databases that the application does not use are left to the programs that do.
 */
final class DeclaredPools {
  private static final Log LOG = LogFactory.getLog(DeclaredPools.class);

  /** No such table, column, function or schema. */
  private static final Set<String> MISSING = Set.of("42P01", "42703", "42883", "3F000");

  private final Optional<Catalog> catalog;
  private final boolean declares;

  /** Guarded by this, as is the next. */
  private @Nullable Pools prepared;

  /** Pools of databases that did not answer at the start. */
  private List<PoolSpec> later = List.of();

  /**
   * @param declares whether pools are created if they are missing
   */
  DeclaredPools(Optional<Catalog> catalog, boolean declares) {
    this.catalog = catalog;
    this.declares = declares;
  }

  /** Returns what a catalog declares in the databases of {@code pools}. */
  static List<PoolSpec> of(Catalog catalog, Pools pools) {
    return catalog.pools().stream()
        .flatMap(spec -> located(catalog, spec, pools).stream())
        .toList();
  }

  /** The pool as it is declared to {@code pools}; empty if it is in none of their databases. */
  private static Optional<PoolSpec> located(Catalog catalog, PoolSpec spec, Pools pools) {
    Optional<String> database = catalog.databaseOf(spec);
    if (pools.databases().isEmpty()) {
      return database.equals(catalog.databases().stream().findFirst())
          ? Optional.of(spec.withDatabase(Optional.empty()))
          : Optional.empty();
    }
    return database.isEmpty() || pools.databases().contains(database.get())
        ? Optional.of(spec.withDatabase(database))
        : Optional.empty();
  }

  /**
   * Makes pools as they are declared, or checks that they exist. Does so once for the same object.
   * Those that wait for another database than the first are left to {@link #prepareLater}.
   *
   * @throws StartFailure if tables or pools are missing
   * @throws PoolUnavailableException if the database fails, of several the first
   */
  synchronized void prepare(Pools pools) {
    if (pools == prepared || catalog.isEmpty()) {
      return;
    }
    List<PoolSpec> here = new ArrayList<>();
    Catalog known = catalog.get();
    for (PoolSpec spec : known.pools()) {
      located(known, spec, pools).ifPresentOrElse(here::add, () -> logLeftOut(known, spec));
    }
    // Pools before those that get their blocks from them.
    here.sort(Comparator.comparing(spec -> spec.source().isPresent()));
    later = prepare(pools, here);
    prepared = pools;
  }

  /**
   * Tries again what was left for later. A pool that cannot be prepared although its database
   * answers is reported once and given up.
   *
   * @return whether nothing is left
   */
  synchronized boolean prepareLater() {
    Pools pools = prepared;
    if (pools == null || later.isEmpty()) {
      return true;
    }
    List<PoolSpec> left = new ArrayList<>();
    for (PoolSpec spec : later) {
      try {
        prepare(pools, spec);
        LOG.info("pool %s: prepared".formatted(Quoted.of(spec.name())));
      } catch (PoolUnavailableException e) {
        left.add(spec);
      } catch (RuntimeException e) {
        if (getsBlocksFromOneOf(left, spec)) {
          left.add(spec);
        } else {
          LOG.error("pool %s: not prepared: %s".formatted(Quoted.of(spec.name()), e.getMessage()));
        }
      }
    }
    later = List.copyOf(left);
    return left.isEmpty();
  }

  private static boolean getsBlocksFromOneOf(List<PoolSpec> left, PoolSpec spec) {
    return spec.source().stream()
        .anyMatch(source -> left.stream().anyMatch(one -> one.name().equals(source.pool())));
  }

  private static void logLeftOut(Catalog catalog, PoolSpec spec) {
    LOG.info(
        "pool %s: not used, because it is in the database %s: a bean Pools.across(...) uses the pools of several databases"
            .formatted(Quoted.of(spec.name()), Quoted.of(catalog.databaseOf(spec).orElseThrow())));
  }

  /**
   * Returns those that wait for a database that does not answer, and is not the first: it has them,
   * or they are new, for which all databases are asked.
   */
  private List<PoolSpec> prepare(Pools pools, List<PoolSpec> specs) {
    List<PoolSpec> left = new ArrayList<>();
    for (PoolSpec spec : specs) {
      try {
        prepare(pools, spec);
      } catch (PoolUnavailableException e) {
        if (left.isEmpty() && !firstAnswers(pools)) {
          throw e;
        }
        logLater(spec, e);
        left.add(spec);
      } catch (IllegalArgumentException e) {
        if (!getsBlocksFromOneOf(left, spec)) {
          throw e;
        }
        logLater(spec, e);
        left.add(spec);
      }
    }
    return List.copyOf(left);
  }

  private static void logLater(PoolSpec spec, RuntimeException why) {
    LOG.warn(
        "pool %s: not prepared yet, tried again every second: %s"
            .formatted(Quoted.of(spec.name()), why.getMessage()));
  }

  /** Whether the first of several databases answers. */
  private static boolean firstAnswers(Pools pools) {
    List<String> databases = pools.databases();
    return databases.size() > 1 && !pools.unreachable().contains(databases.get(0));
  }

  /** Whether the application goes on without the database of a pool. */
  static boolean isOfAnotherDatabase(PoolSpec spec, Pools pools) {
    List<String> databases = pools.databases();
    return spec.database().filter(name -> databases.indexOf(name) > 0).isPresent();
  }

  private void prepare(Pools pools, PoolSpec spec) {
    try {
      if (declares) {
        var unused = pools.declare(spec);
      } else {
        var unused = pools.open(spec.name());
      }
    } catch (UnknownPoolException e) {
      throw new StartFailure(
          "The catalog declares a pool that the database does not have: " + e.getMessage(),
          "Set mintmark.pools.declare=true, or create the pool with 'mintmark pool create'.",
          e);
    } catch (PoolUnavailableException e) {
      if (isMissing(e)) {
        throw new StartFailure(
            "The catalog declares pools, and their tables are missing or of an earlier version: "
                + e.getMessage(),
            "Create them with 'mintmark pool schema | psql URL', add the Flyway location classpath:"
                + Pools.MIGRATIONS
                + ", or set mintmark.pools.install=true if the application may create the schema"
                + " 'mintmark'.",
            e);
      }
      throw e;
    }
  }

  private static boolean isMissing(PoolUnavailableException failure) {
    return failure.getCause() instanceof SQLException cause
        && cause.getSQLState() != null
        && MISSING.contains(cause.getSQLState());
  }
}
