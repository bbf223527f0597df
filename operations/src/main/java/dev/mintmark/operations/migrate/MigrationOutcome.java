package dev.mintmark.operations.migrate;

/** How a run ended that did not fail. */
public sealed interface MigrationOutcome {
  /** The database was as declared already: no migration was begun. */
  record NothingToDo() implements MigrationOutcome {}

  /**
   * The new columns are in use, and the old ones are kept: the migration waits until somebody asks
   * for the contraction or the way back.
   *
   * @param migration its number
   */
  record Baking(long migration) implements MigrationOutcome {}

  /**
   * Somebody paused it: it waits to be resumed.
   *
   * @param migration its number
   */
  record Paused(long migration) implements MigrationOutcome {}

  /**
   * Everything is undone: the migration is over.
   *
   * @param migration its number
   */
  record RolledBack(long migration) implements MigrationOutcome {}

  /**
   * The old columns are gone: the migration is over.
   *
   * @param migration its number
   */
  record Contracted(long migration) implements MigrationOutcome {}
}
