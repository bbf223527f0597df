package dev.mintmark.spring;

import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.UnknownPoolException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** The pools that the catalog declares, in the database. */
final class DeclaredPools {
  /** No such table, column, function or schema. */
  private static final Set<String> MISSING = Set.of("42P01", "42703", "42883", "3F000");

  private DeclaredPools() {}

  /**
   * Makes pools as they are declared, or checks that they exist.
   *
   * @param declares whether they are created if they are missing
   * @throws StartFailure if tables or pools are missing
   * @throws PoolUnavailableException if the database fails
   */
  static void prepare(Pools pools, List<PoolSpec> specs, boolean declares) {
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
