package dev.mintmark.operations.migrate;

/** The result of a run that did not fail. */
public sealed interface MigrationOutcome {
  /** The database is as declared; no migration was begun. */
  record NothingToDo() implements MigrationOutcome {}

  /**
   * The new columns are in use, and the old ones are kept until the migration is contracted or
   * rolled back.
   *
   * @param migration its number
   */
  record Baking(long migration) implements MigrationOutcome {}

  /**
   * The migration was paused and can be resumed.
   *
   * @param migration its number
   */
  record Paused(long migration) implements MigrationOutcome {}

  /**
   * Every step is undone, and the migration has ended.
   *
   * @param migration its number
   */
  record RolledBack(long migration) implements MigrationOutcome {}

  /**
   * The old columns are dropped, and the migration has ended.
   *
   * @param migration its number
   */
  record Contracted(long migration) implements MigrationOutcome {}
}
