package dev.mintmark.postgres.pool;

import dev.mintmark.Experimental;
import dev.mintmark.Quoted;

/**
 * The pool was moved to another database. {@link Pools#open} of pools {@linkplain Pools#across
 * across} both databases finds it there; every claim is held there as before.
 */
@Experimental
public final class PoolMovedException extends PoolUnavailableException {
  private static final long serialVersionUID = 1L;

  private final String database;

  PoolMovedException(String pool, String database) {
    super(
        "pool %s was moved to the database %s: open it there"
            .formatted(Quoted.of(pool), Quoted.of(database)));
    this.database = database;
  }

  /** The name of the database that it is in now. */
  public String database() {
    return database;
  }
}
