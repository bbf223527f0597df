package dev.mintmark.postgres.pack;

import java.util.List;

/** The result of uninstalling the pack. */
public sealed interface Removal {
  /**
   * The pack was dropped.
   *
   * @param objects the dropped objects, for example {@code function ulid_text(uuid)}; empty if no
   *     pack was installed
   */
  record Removed(List<String> objects) implements Removal {
    /** Copies the list. */
    public Removed {
      objects = List.copyOf(objects);
    }
  }

  /**
   * Nothing was dropped, because other objects depend on the pack.
   *
   * @param dependents the dependent objects, as PostgreSQL describes them: {@code default value for
   *     column id of table tracks}
   */
  record StillUsed(List<String> dependents) implements Removal {
    /** Copies the list. */
    public StillUsed {
      dependents = List.copyOf(dependents);
    }
  }
}
