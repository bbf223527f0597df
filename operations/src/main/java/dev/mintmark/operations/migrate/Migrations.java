package dev.mintmark.operations.migrate;

import dev.mintmark.operations.migrate.MigrationStatus.LimitStatus;
import dev.mintmark.operations.migrate.MigrationStatus.StepStatus;
import dev.mintmark.operations.migrate.MigrationStatus.Wait;
import dev.mintmark.operations.migrate.MigrationStore.StoredMigration;
import dev.mintmark.postgres.internal.Rollback;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Runs the key migrations of one database: applies a plan while the tables are used, resumes an
 * interrupted run, rolls a migration back, or contracts it.
 *
 * <pre>{@code
 * apply ----> (resume) ----> BAKING ----> contract ----> (resume) ----> CONTRACTED
 *   |           ^               |
 * pause ..... paused            |
 *   |                           |
 *   +------> rollback <---------+ ------> (resume) ----> ROLLED_BACK
 * }</pre>
 *
 * <p><b>May be killed at any statement</b>: the process, its session, or the server. The progress
 * of a step is committed together with its changes. Only creating and dropping an index is not a
 * transaction in PostgreSQL; an index that an interrupted run left is dropped. {@link #resume}
 * continues with the plan as it was applied: nothing is planned again.
 *
 * <p><b>One run at a time</b> works on a database: its session holds an advisory lock and checks in
 * every transaction that it still does. It therefore requires a direct connection to the server; a
 * connection through a pooler is rejected.
 *
 * <p><b>Lock timeouts</b>: no statement waits for a lock longer than {@link Pace#lockTimeout}. The
 * run then releases all its locks and retries with a backoff. Creating an index concurrently waits
 * without a limit, because no session waits behind it.
 *
 * <p>Methods that run require a role that owns the tables, and {@code pg_read_all_stats} to wait
 * for standbys and transactions of other roles. They block until the run ends. They use one
 * connection, which must not have a socket timeout, and from time to time a second one while an
 * index is created. The connections must not belong to a pool that other code uses: the settings of
 * their sessions are changed, and reset after the run. Immutable; safe for use by many threads.
 */
public final class Migrations {
  /** Where the script with the tables of migrations is, on the class path (for Flyway). */
  public static final String MIGRATIONS = "dev/mintmark/operations/migrate/schema";

  private static final SqlFile INDEX_PROGRESS = SqlFile.load(Migrations.class, "index_progress");
  private static final SqlFile INDEX_WAIT = SqlFile.load(Migrations.class, "index_wait");

  /** How many migrations {@link #list} returns at most: the latest ones. */
  public static final int LISTED_MAX = 100;

  /** How long the status waits for a locked table. */
  private static final String STATUS_LOCK_TIMEOUT = "set local lock_timeout = '100ms'";

  private final DataSource connections;

  private Migrations(DataSource connections) {
    this.connections = connections;
  }

  /** Returns the migrations of a database. Does not connect yet. */
  public static Migrations over(DataSource connections) {
    return new Migrations(connections);
  }

  /**
   * Begins a migration and runs it until it bakes: old and new columns are both kept ({@link
   * Phase#BAKE}). Creates the tables of migrations if they do not exist.
   *
   * @return {@link MigrationOutcome.Baking}, {@link MigrationOutcome.Paused}, or {@link
   *     MigrationOutcome.NothingToDo} if the plan is empty
   * @throws MigrationException if the plan has refusals, a migration is active, another run works,
   *     a lock was not granted within {@link Pace#lockPatience}, or rows are wrong; the message
   *     states what to do
   * @throws IllegalArgumentException if the plan's steps are not in the order of phases
   * @throws SQLException if a statement failed or the connection was lost; earlier steps are kept,
   *     and {@link #resume} continues
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
            "step \"%s\" is of phase %s: expected none after one of phase %s"
                .formatted(step.title(), step.phase().label(), before.phase().label()));
      }
    }
  }

  /**
   * Resumes the active migration where its last run ended, in the same direction. Returns at once
   * if the last migration is already where its last run was to take it.
   *
   * @return as {@link #apply}, {@link #rollback} or {@link #contract}, depending on what was begun
   * @throws MigrationException if no migration was ever started, and as those
   * @throws SQLException as {@link #apply}
   */
  public MigrationOutcome resume(Pace pace, MigrationListener listener) throws SQLException {
    try (RunnerSession session = RunnerSession.open(connections)) {
      return run(session, pace, listener).resume();
    }
  }

  /**
   * Pauses the current run after its next transaction, or after the index that it creates. Returns
   * at once. Requires a role that may write the tables of migrations.
   *
   * @throws MigrationException if no migration is under way, and as {@link #status()}
   */
  public void pause() throws SQLException {
    boolean isPaused =
        inTransaction(
                connection -> {
                  boolean paused = MigrationStore.pause(connection);
                  connection.commit();
                  return paused;
                })
            .orElse(false);
    if (!isPaused) {
      throw nothingToPause();
    }
  }

  private static MigrationException nothingToPause() {
    return new MigrationException("no migration is under way: there is nothing to pause");
  }

  /**
   * Rolls the migration back. Possible at any time before {@link #contract}, also after a pause or
   * a failure.
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
   * Drops what is left of the old columns. This cannot be undone.
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
   * Returns the state of the active migration or, if none is active, of the last one; empty if
   * there never was one. Requires a role that may read the tables of migrations. Takes no lock that
   * other sessions would wait for, and waits 100 ms at most for a locked table.
   *
   * <p>The {@link MigrationStatus#limits} are unknown if a role that has not the rights of this one
   * could change their queries.
   *
   * @throws MigrationException if such a role has put a view in the place of a table of migrations,
   *     or another relation that runs code of its own
   */
  public Optional<MigrationStatus> status() throws SQLException {
    return inTransaction(connection -> status(connection, MigrationStore.latest(connection)))
        .flatMap(status -> status);
  }

  /** As {@link #status()}, for the migration with a number; empty if there never was one. */
  public Optional<MigrationStatus> status(long migration) throws SQLException {
    return inTransaction(
            connection -> status(connection, MigrationStore.find(connection, migration)))
        .flatMap(status -> status);
  }

  /**
   * Returns the latest migrations of the database, the last one first, {@value #LISTED_MAX} at
   * most; none if there never was one. Requires and takes what {@link #status()} does.
   */
  public List<MigrationSummary> list() throws SQLException {
    return inTransaction(connection -> MigrationStore.list(connection, LISTED_MAX))
        .orElse(List.of());
  }

  /** Returns what the role lacks to run a migration with these {@link MigrationStatus#tables}. */
  public RunRights rights(List<String> tables) throws SQLException {
    return inTransaction(connection -> RunRights.of(connection, tables)).orElseThrow();
  }

  /**
   * Does something in a transaction that is rolled back unless it commits; empty if there are no
   * tables yet.
   */
  private <T> Optional<T> inTransaction(RunnerSession.Work<T> work) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(false);
      try {
        SqlSettings.PINNED.set(connection, true);
        MigrationTrust.requireForReading(connection);
        T result = work.run(connection);
        connection.rollback();
        connection.setAutoCommit(true);
        return Optional.of(result);
      } catch (Throwable e) {
        Rollback.after(e, connection);
        throw e;
      }
    } catch (SQLException e) {
      if (RunnerSession.isWithoutTables(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Optional<MigrationStatus> status(
      Connection connection, Optional<StoredMigration> stored) throws SQLException {
    return stored.isEmpty() ? Optional.empty() : Optional.of(status(connection, stored.get()));
  }

  private static MigrationStatus status(Connection connection, StoredMigration stored)
      throws SQLException {
    Optional<MigrationStatus.Runner> runner =
        stored.state().isEnd()
            ? Optional.empty()
            : RunnerSession.holder(connection)
                .map(holder -> new MigrationStatus.Runner(holder.pid(), stored.runBegan()));
    List<StepStatus> steps = MigrationStore.steps(connection, stored.id());
    Optional<Wait> waits = Optional.empty();
    if (runner.isPresent()) {
      steps = withIndexProgress(connection, steps, runner.get());
      waits = waits(connection, stored.id(), steps, runner.get());
    }
    return new MigrationStatus(
        stored.id(),
        stored.fingerprint(),
        stored.state(),
        stored.paused(),
        stored.started(),
        stored.ended(),
        stored.read(),
        runner,
        steps,
        limits(connection, stored),
        waits);
  }

  /** The rows of an index that is being created are known to the server alone. */
  private static List<StepStatus> withIndexProgress(
      Connection connection, List<StepStatus> steps, MigrationStatus.Runner runner)
      throws SQLException {
    List<StepStatus> all = new ArrayList<>();
    for (StepStatus step : steps) {
      all.add(isIndexInProgress(step) ? withIndexProgress(connection, step, runner) : step);
    }
    return all;
  }

  private static boolean isIndexInProgress(StepStatus step) {
    return step.work() == Step.Work.INDEX && step.state() == StepState.DOING;
  }

  private static StepStatus withIndexProgress(
      Connection connection, StepStatus step, MigrationStatus.Runner runner) throws SQLException {
    return INDEX_PROGRESS
        .query(
            connection,
            Map.of("pid", runner.pid(), "rows", step.rowsEstimated()),
            row -> row.getLong("rows"))
        .stream()
        .findFirst()
        .map(step::withRowsDone)
        .orElse(step);
  }

  private static Optional<Wait> waits(
      Connection connection, long migration, List<StepStatus> steps, MigrationStatus.Runner runner)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    Optional<Wait> noted = Optional.empty();
    try {
      noted = MigrationStore.wait(connection, migration);
    } catch (SQLException e) {
      connection.rollback(before);
      if (!RunnerSession.isWithoutTables(e)) {
        throw e;
      }
    }
    if (noted.isPresent()) {
      return noted;
    }
    Optional<StepStatus> index = steps.stream().filter(Migrations::isIndexInProgress).findFirst();
    return index.isEmpty() ? noted : indexWait(connection, index.get(), runner);
  }

  private static Optional<Wait> indexWait(
      Connection connection, StepStatus step, MigrationStatus.Runner runner) throws SQLException {
    return INDEX_WAIT
        .query(
            connection,
            Map.of("pid", runner.pid()),
            row ->
                new Wait(
                    step.ordinal(),
                    "the index waits for the end of the transaction of process %s (%s)"
                        .formatted(row.getInt("pid"), row.getString("application_name")),
                    row.getObject("since_at", OffsetDateTime.class).toInstant()))
        .stream()
        .findFirst();
  }

  private static List<LimitStatus> limits(Connection connection, StoredMigration stored)
      throws SQLException {
    List<LimitStatus> limits = new ArrayList<>();
    if (!stored.state().hasWayBack()) {
      return limits;
    }
    Optional<String> obstacle = MigrationTrust.obstacle(connection);
    for (Limit limit : MigrationStore.limits(connection, stored.id())) {
      limits.add(obstacle.isPresent() ? unknown(limit, obstacle.get()) : status(connection, limit));
    }
    return limits;
  }

  private static LimitStatus unknown(Limit limit, String why) {
    return new LimitStatus(limit.column(), OptionalLong.empty(), limit.last(), Optional.of(why));
  }

  private static LimitStatus status(Connection connection, Limit limit) throws SQLException {
    Savepoint before = connection.setSavepoint();
    try (Statement statement = connection.createStatement()) {
      statement.execute(STATUS_LOCK_TIMEOUT);
      OptionalLong outermost = RollbackWindow.outermost(connection, limit);
      return new LimitStatus(limit.column(), outermost, limit.last(), Optional.empty());
    } catch (SQLException e) {
      return unknown(limit, String.valueOf(e.getMessage()));
    } finally {
      connection.rollback(before);
    }
  }
}
