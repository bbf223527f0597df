package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.sql.SQLException;
import java.util.ArrayList;
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

  /** Guarded by this. */
  private @Nullable Pools prepared;

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
   *
   * @throws StartFailure if tables or pools are missing
   * @throws PoolUnavailableException if the database fails
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
    prepare(pools, here);
    prepared = pools;
  }

  private static void logLeftOut(Catalog catalog, PoolSpec spec) {
    LOG.info(
        "pool %s: not used, because it is in the database %s: a bean Pools.across(...) uses the pools of several databases"
            .formatted(Quoted.of(spec.name()), Quoted.of(catalog.databaseOf(spec).orElseThrow())));
  }

  private void prepare(Pools pools, List<PoolSpec> specs) {
    try {
      for (PoolSpec spec : specs) {
        if (declares) {
          var unused = pools.declare(spec);
        } else {
          var unused = pools.open(spec.name());
        }
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
