package dev.mintmark.postgres.pack;

import java.util.List;

/** What became of the wish to take the pack away. */
public sealed interface Removal {
  /**
   * It is gone.
   *
   * @param objects what was dropped, as {@code function ulid_text(uuid)}; none if nothing was there
   */
  record Removed(List<String> objects) implements Removal {
    /** Copies the list. */
    public Removed {
      objects = List.copyOf(objects);
    }
  }

  /**
   * Nothing has changed, since some of it is in use.
   *
   * @param dependents by what, in PostgreSQL's words: {@code default value for column id of table
   *     tracks}
   */
  record StillUsed(List<String> dependents) implements Removal {
    /** Copies the list. */
    public StillUsed {
      dependents = List.copyOf(dependents);
    }
  }
}
