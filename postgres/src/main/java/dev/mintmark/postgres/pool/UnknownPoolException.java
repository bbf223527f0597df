package dev.mintmark.postgres.pool;

import dev.mintmark.Quoted;
import dev.mintmark.Spelling;
import java.util.Collection;

/** The database has no pool of that name. It may have been deleted. */
public final class UnknownPoolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownPoolException(String name) {
    super("no pool " + Quoted.of(name));
  }

  /** Suggests one of the pools that the database has, if its name is similar. */
  UnknownPoolException(String name, Collection<String> names) {
    super(
        "no pool "
            + Quoted.of(name)
            + Spelling.nearest(name, names)
                .map(near -> ": did you mean " + Quoted.of(near) + "?")
                .orElse(""));
  }
}
