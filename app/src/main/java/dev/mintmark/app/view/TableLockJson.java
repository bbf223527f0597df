package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.TableLock;

/** A lock of a step as JSON: its mode by PostgreSQL's name, and how long it is held. */
record TableLockJson(String table, String mode, String held) {
  static TableLockJson of(TableLock lock) {
    return new TableLockJson(lock.table(), lock.mode().label(), lock.held().label());
  }
}
