package dev.mintmark.operations.migrate;

/** Somebody paused the migration: the transaction that found out is undone, and the run ends. */
final class PauseRequested extends Exception {
  private static final long serialVersionUID = 1L;

  PauseRequested() {
    super("paused", null, false, false);
  }
}
