package dev.mintmark.operations.migrate;

import dev.mintmark.operations.migrate.MigrationStatus.LimitStatus;
import dev.mintmark.operations.migrate.MigrationStore.ColumnValue;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Runs the migrations of one database's keys: applies a plan while the tables are used, goes on
 * where a run ended, takes all of it back, or ends the way back.
 *
 * <pre>{@code
 * apply ----> (resume) ----> BAKING ----> contract ----> (resume) ----> CONTRACTED
 *   |           ^               |
 * pause ..... paused            |
 *   |                           |
 *   +------> rollback <---------+ ------> (resume) ----> ROLLED_BACK
 * }</pre>
 *
 * <p><b>May be killed at any statement</b>: the process, its session, or the server. How far a step
 * is, is committed together with what it did; only making and dropping an index is not a
 * transaction in PostgreSQL, and what an interrupted one leaves is dropped. {@link #resume} goes on
 * from there with the plan as it was applied: nothing is planned anew.
 *
 * <p><b>One run at a time</b> works on a database: its session holds an advisory lock and asks in
 * every transaction whether it still does. So it needs a connection to the server itself: one
 * through a pooler is refused.
 *
 * <p><b>Locks are asked for gently</b>: no statement waits for one longer than {@link
 * Pace#lockTimeout}, then all locks are given back, and others go first. Making an index
 * concurrently waits for as long as it takes, since nobody waits behind it.
 *
 * <p>Methods that run need a role that owns the tables, and one that may read all statistics
 * ({@code pg_read_all_stats}) to see how others fare. They block until the run ends, and use one
 * connection, which must not have a socket timeout, and another one now and then while an index is
 * made. The connections must not be those of a pool that others use: the settings of their sessions
 * are changed, and reset behind the run. Immutable; safe for use by many threads.
 */
public final class Migrations {
  /** Where the script with the tables of migrations is, on the class path (for Flyway). */
  public static final String MIGRATIONS = "dev/mintmark/operations/migrate/schema";

  /** For how long the status waits where a table is locked. */
  private static final String STATUS_LOCK_TIMEOUT = "set local lock_timeout = '100ms'";

  private final DataSource connections;

  private Migrations(DataSource connections) {
    this.connections = connections;
  }

  /** Those of the database that the connections lead to. Nothing is asked of it yet. */
  public static Migrations over(DataSource connections) {
    return new Migrations(connections);
  }

  /**
   * Begins a migration and runs it until old and new columns are both kept: to the end of {@link
   * Phase#BAKE}. Where its tables are missing, they are made.
   *
   * @return {@link MigrationOutcome.Baking}, {@link MigrationOutcome.Paused}, or {@link
   *     MigrationOutcome.NothingToDo} of an empty plan
   * @throws MigrationException if the plan has refusals, a migration is active, another run works,
   *     others would not give way, or rows are wrong; the message says what to do
   * @throws IllegalArgumentException if the plan's steps are not in the order of phases
   * @throws SQLException if a statement failed or the connection broke: what was done before stays,
   *     and {@link #resume} goes on
   */
  public MigrationOutcome apply(MigrationPlan plan, Pace pace, MigrationListener listener)
      throws SQLException {
    checkIsApplicable(plan);
    if (plan.isEmpty()) {
      return new MigrationOutcome.NothingToDo();
    }
    try (RunnerSession session = RunnerSession.open(connections)) {
      return run(session, pace, listener).apply(plan);
    }
  }

  private static void checkIsApplicable(MigrationPlan plan) {
    if (!plan.refusals().isEmpty()) {
      throw new MigrationException(
          "the plan cannot be applied: "
              + plan.refusals().stream()
                  .map(
                      refusal ->
                          "%s: %s; %s"
                              .formatted(refusal.object(), refusal.reason(), refusal.remedy()))
                  .collect(Collectors.joining("\n  ", "\n  ", "")));
    }
    for (int i = 1; i < plan.steps().size(); i++) {
      Step before = plan.steps().get(i - 1);
      Step step = plan.steps().get(i);
      if (step.phase().compareTo(before.phase()) < 0) {
        throw new IllegalArgumentException(
            "step \"%s\" is of phase %s: expected none behind one of phase %s"
                .formatted(step.title(), step.phase().label(), before.phase().label()));
      }
    }
  }

  /**
   * Goes on with the active migration in the direction it had, from where its last run ended.
   *
   * @return as {@link #apply}, {@link #rollback} or {@link #contract}, whichever was begun
   * @throws MigrationException if there is nothing to go on with, and as those
   * @throws SQLException as {@link #apply}
   */
  public MigrationOutcome resume(Pace pace, MigrationListener listener) throws SQLException {
    try (RunnerSession session = RunnerSession.open(connections)) {
      return run(session, pace, listener).resume();
    }
  }

  /**
   * Lets the run that works end with its next transaction; one that makes an index first makes it.
   * Returns at once. Needs a role that may write the tables of migrations.
   *
   * @throws MigrationException if no migration is under way
   */
  public void pause() throws SQLException {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(true);
      if (!MigrationStore.pause(connection)) {
        throw nothingToPause();
      }
    } catch (SQLException e) {
      if (RunnerSession.isWithoutTables(e)) {
        throw nothingToPause();
      }
      throw e;
    }
  }

  private static MigrationException nothingToPause() {
    return new MigrationException("no migration is under way: there is nothing to pause");
  }

  /**
   * Undoes everything, at any time before {@link #contract}: also from a pause or a failure.
   *
   * @return {@link MigrationOutcome.RolledBack} or {@link MigrationOutcome.Paused}
   * @throws MigrationException if no migration is active, its contraction has begun, or a value is
   *     past a {@link Limit}; and as {@link #apply}
   * @throws SQLException as {@link #apply}
   */
  public MigrationOutcome rollback(Pace pace, MigrationListener listener) throws SQLException {
    try (RunnerSession session = RunnerSession.open(connections)) {
      return run(session, pace, listener).rollback();
    }
  }

  /**
   * Ends the way back: what is left of the old columns goes.
   *
   * @return {@link MigrationOutcome.Contracted} or {@link MigrationOutcome.Paused}
   * @throws MigrationException if no migration is baking; and as {@link #apply}
   * @throws SQLException as {@link #apply}
   */
  public MigrationOutcome contract(Pace pace, MigrationListener listener) throws SQLException {
    try (RunnerSession session = RunnerSession.open(connections)) {
      return run(session, pace, listener).contract();
    }
  }

  private MigrationRun run(RunnerSession session, Pace pace, MigrationListener listener) {
    return new MigrationRun(session, connections, pace, listener);
  }

  /**
   * How the active migration is getting on or, where none is, how the last one ended; empty where
   * there never was one. Needs a role that may read the tables of migrations; takes no lock that
   * others would wait for, and waits 100 ms at most where a table is locked.
   */
  public Optional<MigrationStatus> status() throws SQLException {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(true);
      Optional<ColumnValue> latest = MigrationStore.latest(connection);
      return latest.isEmpty() ? Optional.empty() : Optional.of(status(connection, latest.get()));
    } catch (SQLException e) {
      if (RunnerSession.isWithoutTables(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static MigrationStatus status(Connection connection, ColumnValue stored)
      throws SQLException {
    Optional<MigrationStatus.Runner> runner =
        stored.state().isEnd()
            ? Optional.empty()
            : RunnerSession.holder(connection)
                .map(holder -> new MigrationStatus.Runner(holder.pid(), stored.runBegan()));
    return new MigrationStatus(
        stored.id(),
        stored.fingerprint(),
        stored.state(),
        stored.paused(),
        stored.started(),
        stored.ended(),
        stored.read(),
        runner,
        MigrationStore.steps(connection, stored.id()),
        limits(connection, stored));
  }

  private static List<LimitStatus> limits(Connection connection, ColumnValue stored)
      throws SQLException {
    List<LimitStatus> limits = new ArrayList<>();
    if (!stored.state().hasWayBack()) {
      return limits;
    }
    for (Limit limit : MigrationStore.limits(connection, stored.id())) {
      limits.add(status(connection, limit));
    }
    return limits;
  }

  private static LimitStatus status(Connection connection, Limit limit) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(STATUS_LOCK_TIMEOUT);
      OptionalLong greatest = RollbackWindow.greatest(connection, limit);
      return new LimitStatus(limit.column(), greatest, limit.last(), Optional.empty());
    } catch (SQLException e) {
      return new LimitStatus(
          limit.column(),
          OptionalLong.empty(),
          limit.last(),
          Optional.of(String.valueOf(e.getMessage())));
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
