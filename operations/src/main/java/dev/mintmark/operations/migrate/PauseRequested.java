package dev.mintmark.operations.migrate;

/**
 * Another session paused the migration: the transaction that sees this is rolled back, and the run
 * ends.
 */
final class PauseRequested extends Exception {
  private static final long serialVersionUID = 1L;

  PauseRequested() {
    super("paused", null, false, false);
  }
}
