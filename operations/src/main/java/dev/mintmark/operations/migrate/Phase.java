package dev.mintmark.operations.migrate;

import java.util.Locale;

/** The phases of a migration in their order: expand and contract. */
public enum Phase {
  /** Requirements are met before anything is changed. */
  CHECK,
  /** New columns are added, without values. */
  EXPAND,
  /** A trigger fills the new columns of rows that are written from now on. */
  SYNC,
  /** The new columns of existing rows are filled. */
  BACKFILL,
  /** The indexes that the switch needs are created while the table is written. */
  INDEX,
  /** Constraints are validated while the table is written. */
  VALIDATE,
  /** The new columns take the names of the old ones. */
  SWITCH,
  /** Old and new columns are both kept, so that a rollback is possible; ends on request. */
  BAKE,
  /** What is left of the old columns is dropped. After its first step no rollback is possible. */
  CONTRACT;

  /** Returns the name of the phase in output: {@code backfill}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
