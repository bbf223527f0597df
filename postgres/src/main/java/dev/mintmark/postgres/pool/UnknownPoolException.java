package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;

/** The database has no pool of that name. It may have been deleted. */
public final class UnknownPoolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownPoolException(String name) {
    super("no pool " + Quoted.of(name));
  }
}
