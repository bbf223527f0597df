package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and writes what a database knows of its migrations, in the transaction of the caller. */
final class MigrationStore {
  private static final SqlFile LATEST = sql("latest_migration");
  private static final SqlFile ADD_MIGRATION = sql("add_migration");
  private static final SqlFile ADD_STEP = sql("add_step");
  private static final SqlFile ADD_LIMIT = sql("add_limit");
  private static final SqlFile BEGIN_RUN = sql("begin_run");
  private static final SqlFile SET_STATE = sql("set_state");
  private static final SqlFile TURN_ROUND = sql("turn_round");
  private static final SqlFile PAUSE = sql("pause");
  private static final SqlFile NEXT_STEP = sql("next_step");
  private static final SqlFile LAST_STEP = sql("last_step");
  private static final SqlFile SET_STEP = sql("set_step");
  private static final SqlFile STEPS = sql("steps");
  private static final SqlFile LIMITS = sql("limits");
  private static final SqlFile FIND = sql("find_migration");
  private static final SqlFile LIST = sql("list_migrations");
  private static final SqlFile NOTE_WAIT = sql("note_wait");
  private static final SqlFile END_WAIT = sql("end_wait");
  private static final SqlFile WAIT = sql("wait");

  private MigrationStore() {}

  private static SqlFile sql(String name) {
    return SqlFile.load(MigrationStore.class, name);
  }

  /** What is known of a migration besides its steps. */
  record StoredMigration(
      long id,
      String fingerprint,
      MigrationState state,
      boolean paused,
      Instant started,
      Instant runBegan,
      Optional<Instant> ended,
      Instant read) {}

  /**
   * A step and how far it is.
   *
   * @param cursor where its next batch begins, as PostgreSQL writes an array
   */
  record StoredStep(
      int ordinal, int steps, Step step, StepState state, Optional<String> cursor, long rows) {
    MigrationListener.StepPosition position(boolean backwards) {
      return new MigrationListener.StepPosition(ordinal, steps, backwards);
    }

    /** The same step after another batch. */
    StoredStep advancedTo(Optional<String> cursor, long seen) {
      return new StoredStep(ordinal, steps, step, state, cursor, rows + seen);
    }
  }

  /** The active migration or, where none is, the last one. */
  static Optional<StoredMigration> latest(Connection connection) throws SQLException {
    return LATEST.query(connection, Map.of(), MigrationStore::readMigration).stream().findFirst();
  }

  /** The migration with this number. */
  static Optional<StoredMigration> find(Connection connection, long migration) throws SQLException {
    return FIND
        .query(connection, Map.of("migration", migration), MigrationStore::readMigration)
        .stream()
        .findFirst();
  }

  private static StoredMigration readMigration(ResultSet row) throws SQLException {
    return new StoredMigration(
        row.getLong("id"),
        row.getString("fingerprint"),
        MigrationState.of(row.getString("state")),
        row.getBoolean("paused"),
        instant(row, "started_at").orElseThrow(),
        instant(row, "run_at").orElseThrow(),
        instant(row, "ended_at"),
        instant(row, "read_at").orElseThrow());
  }

  /** The latest migrations, the last one first. */
  static List<MigrationSummary> list(Connection connection, int limit) throws SQLException {
    String[] phases =
        MigrationStatus.TABLE_PHASES.stream().map(Phase::label).toArray(String[]::new);
    return LIST.query(
        connection,
        Map.of("phases", phases, "limit", limit),
        row ->
            new MigrationSummary(
                row.getLong("id"),
                row.getString("fingerprint"),
                MigrationState.of(row.getString("state")),
                row.getBoolean("paused"),
                instant(row, "started_at").orElseThrow(),
                instant(row, "ended_at"),
                MigrationStatus.tables(texts(row, "targets").stream()),
                row.getInt("steps"),
                row.getInt("steps_done")));
  }

  /** Notes why a run waits, and for how long already. */
  static void noteWait(
      Connection connection, long migration, int ordinal, String reason, Duration waited)
      throws SQLException {
    Map<String, Object> values =
        Map.of(
            "migration", migration,
            "ordinal", ordinal,
            "reason", reason,
            "waited_millis", waited.toMillis());
    update(connection, NOTE_WAIT, values);
  }

  /** Notes that it no longer does. */
  static void endWait(Connection connection, long migration) throws SQLException {
    update(connection, END_WAIT, Map.of("migration", migration));
  }

  static Optional<MigrationStatus.Wait> wait(Connection connection, long migration)
      throws SQLException {
    return WAIT
        .query(
            connection,
            Map.of("migration", migration),
            row ->
                new MigrationStatus.Wait(
                    row.getInt("ordinal"),
                    row.getString("reason"),
                    instant(row, "since_at").orElseThrow()))
        .stream()
        .findFirst();
  }

  /** Notes a migration that begins, with all that it is to do; returns its number. */
  static long add(Connection connection, MigrationPlan plan) throws SQLException {
    long migration =
        ADD_MIGRATION
            .query(connection, Map.of("fingerprint", plan.fingerprint()), row -> row.getLong("id"))
            .get(0);
    for (int i = 0; i < plan.steps().size(); i++) {
      update(connection, ADD_STEP, values(migration, i + 1, plan.steps().get(i)));
    }
    for (int i = 0; i < plan.limits().size(); i++) {
      Limit limit = plan.limits().get(i);
      update(
          connection,
          ADD_LIMIT,
          Map.of(
              "migration", migration,
              "ordinal", i + 1,
              "column", limit.column(),
              "query", limit.query(),
              "last", limit.last()));
    }
    return migration;
  }

  private static Map<String, Object> values(long migration, int ordinal, Step step) {
    Map<String, Object> values = new HashMap<>();
    values.put("migration", migration);
    values.put("ordinal", ordinal);
    values.put("phase", step.phase().label());
    values.put("work", step.work().name().toLowerCase(Locale.ROOT));
    values.put("title", step.title());
    values.put("target", step.target());
    values.put("apply", step.apply().toArray(new String[0]));
    values.put("undo", step.undo().toArray(new String[0]));
    values.put("lock_tables", texts(step.locks(), TableLock::table));
    values.put("lock_modes", texts(step.locks(), lock -> lock.mode().name()));
    values.put("locks_held", texts(step.locks(), lock -> lock.held().name()));
    values.put("rows", step.estimate().rows());
    values.put("wal_bytes", step.estimate().walBytes());
    values.put("disk_bytes", step.estimate().diskBytes());
    values.put("seconds", step.estimate().seconds());
    return values;
  }

  private static String[] texts(List<TableLock> locks, Function<TableLock, String> part) {
    return locks.stream().map(part).toArray(String[]::new);
  }

  /** Notes that a run begins, and where it goes. */
  static void beginRun(Connection connection, long migration, MigrationState state)
      throws SQLException {
    update(connection, BEGIN_RUN, Map.of("migration", migration, "state", state.label()));
  }

  static void setState(Connection connection, long migration, MigrationState state)
      throws SQLException {
    update(
        connection,
        SET_STATE,
        Map.of("migration", migration, "state", state.label(), "ended", state.isEnd()));
  }

  /** Sets a migration that was being rolled back to applying again. */
  static void turnRound(Connection connection, long migration) throws SQLException {
    update(connection, TURN_ROUND, Map.of("migration", migration));
  }

  /** Pauses the active migration; returns whether there is one that could be under way. */
  static boolean pause(Connection connection) throws SQLException {
    return !PAUSE.query(connection, Map.of(), row -> true).isEmpty();
  }

  /** The step that is run next, of the contraction or of what is before. */
  static Optional<StoredStep> next(Connection connection, long migration, boolean contracting)
      throws SQLException {
    return NEXT_STEP
        .query(
            connection,
            Map.of("migration", migration, "contracting", contracting),
            MigrationStore::readStep)
        .stream()
        .findFirst();
  }

  /** The step that is undone next. */
  static Optional<StoredStep> last(Connection connection, long migration) throws SQLException {
    return LAST_STEP
        .query(connection, Map.of("migration", migration), MigrationStore::readStep)
        .stream()
        .findFirst();
  }

  /**
   * Notes how far a step is.
   *
   * @param rows that the present batch looked at
   */
  static void set(
      Connection connection,
      long migration,
      StoredStep step,
      StepState state,
      Optional<String> cursor,
      long rows)
      throws SQLException {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("migration", migration);
    values.put("ordinal", step.ordinal());
    values.put("state", state.label());
    values.put("cursor", cursor.orElse(null));
    values.put("rows", rows);
    update(connection, SET_STEP, values);
  }

  /** Notes how far a step is that has no rows of its own. */
  static void set(Connection connection, long migration, StoredStep step, StepState state)
      throws SQLException {
    set(connection, migration, step, state, step.cursor(), 0);
  }

  static List<MigrationStatus.StepStatus> steps(Connection connection, long migration)
      throws SQLException {
    return STEPS.query(
        connection,
        Map.of("migration", migration),
        row ->
            new MigrationStatus.StepStatus(
                row.getInt("ordinal"),
                phase(row),
                work(row),
                row.getString("title"),
                row.getString("target"),
                StepState.of(row.getString("state")),
                row.getLong("rows_done"),
                row.getLong("rows_estimated"),
                instant(row, "started_at"),
                instant(row, "done_at"),
                locks(row)));
  }

  static List<Limit> limits(Connection connection, long migration) throws SQLException {
    return LIMITS.query(
        connection,
        Map.of("migration", migration),
        row ->
            new Limit(row.getString("column_name"), row.getString("query"), row.getLong("last")));
  }

  private static StoredStep readStep(ResultSet row) throws SQLException {
    Step step =
        new Step(
            phase(row),
            work(row),
            row.getString("title"),
            row.getString("target"),
            texts(row, "apply"),
            texts(row, "undo"),
            locks(row),
            new Estimate(
                row.getLong("rows_estimated"),
                row.getLong("wal_bytes"),
                row.getLong("disk_bytes"),
                row.getLong("seconds")));
    return new StoredStep(
        row.getInt("ordinal"),
        row.getInt("steps"),
        step,
        StepState.of(row.getString("state")),
        Optional.ofNullable(row.getString("cursor")),
        row.getLong("rows_done"));
  }

  private static Phase phase(ResultSet row) throws SQLException {
    return Phase.valueOf(row.getString("phase").toUpperCase(Locale.ROOT));
  }

  private static Step.Work work(ResultSet row) throws SQLException {
    return Step.Work.valueOf(row.getString("work").toUpperCase(Locale.ROOT));
  }

  private static List<TableLock> locks(ResultSet row) throws SQLException {
    List<String> tables = texts(row, "lock_tables");
    List<String> modes = texts(row, "lock_modes");
    List<String> held = texts(row, "locks_held");
    List<TableLock> locks = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      locks.add(
          new TableLock(
              tables.get(i),
              TableLock.Mode.valueOf(modes.get(i)),
              TableLock.Held.valueOf(held.get(i))));
    }
    return locks;
  }

  private static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return List.of((String[]) array.getArray());
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  private static void update(Connection connection, SqlFile statement, Map<String, ?> values)
      throws SQLException {
    try (PreparedStatement prepared = statement.prepare(connection, values)) {
      prepared.executeUpdate();
    }
  }
}
