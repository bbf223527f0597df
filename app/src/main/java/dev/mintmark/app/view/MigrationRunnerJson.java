package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.MigrationStatus.Runner;

/** The session that works on a migration, as JSON. */
record MigrationRunnerJson(int pid, String since) {
  static MigrationRunnerJson of(Runner runner) {
    return new MigrationRunnerJson(runner.pid(), runner.since().toString());
  }
}
