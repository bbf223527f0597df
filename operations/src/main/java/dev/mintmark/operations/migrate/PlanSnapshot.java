package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.LockTimeout;
import dev.mintmark.postgres.internal.Rollback;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The transaction that a plan is made in. It has one snapshot: otherwise a plan would not know what
 * was made after a part of it was read, and the migration would lose it.
 */
final class PlanSnapshot {
  private static final SqlFile SETTINGS = SqlFile.load(PlanSnapshot.class, "plan_settings");
  private static final SqlFile LOCK_TIMEOUT = SqlFile.load(PlanSnapshot.class, "read_lock_timeout");

  private PlanSnapshot() {}

  /** What is read. */
  interface Work {
    MigrationPlan read(LiveSchema schema) throws SQLException;
  }

  /**
   * Plans.
   *
   * @throws MigrationException if a table that was read was changed meanwhile
   */
  static MigrationPlan plan(Connection connection, Duration lockTimeout, Work work)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      connection.setReadOnly(true);
      try (Statement statement = connection.createStatement()) {
        statement.execute("set transaction isolation level repeatable read");
      }
      SETTINGS.query(connection, Map.of(), row -> true);
      limitWaits(connection, lockTimeout);
      LiveSchema schema = LiveSchema.of(connection);
      return plan(connection, schema, work);
    } catch (Throwable e) {
      Rollback.after(e, connection);
      throw e;
    }
  }

  private static MigrationPlan plan(Connection connection, LiveSchema schema, Work work)
      throws SQLException {
    MigrationPlan plan;
    try {
      plan = work.read(schema);
    } catch (SQLException | RuntimeException e) {
      if (!LockTimeout.is(e)) {
        explain(e, connection, schema);
      }
      throw e;
    }
    connection.commit();
    Optional<String> changed = schema.changedMeanwhile();
    if (changed.isPresent()) {
      throw changed(changed.get());
    }
    return plan;
  }

  /** Throws what the reason of a failure is, if a table was changed. */
  private static void explain(Exception failure, Connection connection, LiveSchema schema) {
    Optional<String> changed = Optional.empty();
    try {
      connection.rollback();
      changed = schema.changedMeanwhile();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
    if (changed.isPresent()) {
      MigrationException reason = changed(changed.get());
      reason.addSuppressed(failure);
      throw reason;
    }
  }

  private static MigrationException changed(String table) {
    return new MigrationException(
        "no plan was made: table %s, or something that depends on it, was created, changed or dropped meanwhile; plan again"
            .formatted(table));
  }

  /** Unless the role waits for a shorter time already. */
  private static void limitWaits(Connection connection, Duration lockTimeout) throws SQLException {
    double seconds =
        LOCK_TIMEOUT.query(connection, Map.of(), row -> row.getDouble("seconds")).get(0);
    if (seconds == 0 || seconds * 1_000 > lockTimeout.toMillis()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("set local lock_timeout = " + lockTimeout.toMillis());
      }
    }
  }
}
