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

  /** The pool was moved, and the database that has it since does not have it any more. */
  UnknownPoolException(String name, String from, String to) {
    super(
        "no pool %s: it was moved from the database %s to %s, which does not have it: it was deleted there, or that database went back"
            .formatted(Quoted.of(name), Quoted.of(from), Quoted.of(to)));
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
