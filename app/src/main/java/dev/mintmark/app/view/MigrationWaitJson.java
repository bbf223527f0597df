package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.MigrationStatus.Wait;

/** Why a run of a migration waits, as JSON. */
record MigrationWaitJson(int step, String reason, String since) {
  static MigrationWaitJson of(Wait wait) {
    return new MigrationWaitJson(wait.step(), wait.reason(), wait.since().toString());
  }
}
