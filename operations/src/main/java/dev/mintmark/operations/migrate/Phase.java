package dev.mintmark.operations.migrate;

import java.util.Locale;

/** The parts of a migration, in the order they are gone through: expand and contract. */
public enum Phase {
  /** What must be there or must hold before anything is changed. */
  CHECK,
  /** New columns, empty. */
  EXPAND,
  /** Rows that are written from now on have both columns. */
  SYNC,
  /** Rows that were there before get the new column. */
  BACKFILL,
  /** The indexes that the switch needs, made while the table is written. */
  INDEX,
  /** Constraints that are validated while the table is written. */
  VALIDATE,
  /** The new column takes the place and the name of the old one. */
  SWITCH,
  /** Both are kept, so that there is a way back; ends when somebody says so. */
  BAKE,
  /** What is left of the old column goes. Behind its first step there is no way back. */
  CONTRACT;

  /** The name by which answers call this phase: {@code backfill}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
