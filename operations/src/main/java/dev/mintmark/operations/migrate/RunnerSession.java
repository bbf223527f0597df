package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.Rollback;
import dev.mintmark.postgres.internal.SqlFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The one connection of a run, and what makes it the only one: an advisory lock that PostgreSQL
 * gives back when the session ends, however it ends. Every transaction asks whether it is still
 * held, so that nothing is done by a run whose place was taken, or whose statements a pooler gives
 * to other sessions.
 *
 * <p>For use by one thread at a time.
 */
final class RunnerSession implements AutoCloseable {
  private static final SqlFile SETTINGS = SqlFile.load(RunnerSession.class, "run_settings");
  private static final SqlFile MISSING_TABLES = SqlFile.load(RunnerSession.class, "missing_tables");
  private static final SqlFile LOCK_TABLES = SqlFile.load(RunnerSession.class, "lock_tables");
  private static final SqlFile TAKE_LOCK = SqlFile.load(RunnerSession.class, "take_run_lock");
  private static final SqlFile GIVE_LOCK = SqlFile.load(RunnerSession.class, "give_run_lock");
  private static final SqlFile HOLDER = SqlFile.load(RunnerSession.class, "run_lock_holder");
  private static final SqlFile FENCE = SqlFile.load(RunnerSession.class, "fence");

  /** The name of the script below {@link Migrations#MIGRATIONS}. */
  private static final String TABLES = "schema/R__key_migrations.sql";

  private static final String UNDEFINED_TABLE = "42P01";
  private static final String UNDEFINED_SCHEMA = "3F000";
  private static final String INVALID_SETTING = "22023";

  private final Connection connection;
  private final int pid;
  private final boolean quiet;

  /**
   * What the session had before: triggers of users that a batch fires run as for other sessions.
   */
  private final SqlSettings own;

  private @Nullable Long migration;

  private RunnerSession(Connection connection, int pid, boolean quiet, SqlSettings own) {
    this.connection = connection;
    this.pid = pid;
    this.quiet = quiet;
    this.own = own;
  }

  /** Something in a transaction. */
  interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** What a transaction is bound by. */
  record Bounds(Duration lockTimeout, boolean batch) {
    /** For the notes of the run itself, which no other session locks for long. */
    static final Bounds NOTES = new Bounds(Duration.ofSeconds(5), false);
  }

  /** Who runs migrations of a database. */
  record Holder(int pid, Optional<String> application, Optional<String> host) {
    @Override
    public String toString() {
      return "process "
          + pid
          + application.map(name -> " (" + name + ")").orElse("")
          + host.map(name -> " from " + name).orElse("");
    }
  }

  /**
   * Takes the lock, or fails at once; makes the tables of migrations where they are missing.
   *
   * @throws MigrationException if another session has the lock, a pooler is in between, or another
   *     role could change what is run
   */
  static RunnerSession open(DataSource connections) throws SQLException {
    Connection connection = connections.getConnection();
    try {
      connection.setAutoCommit(true);
      SqlSettings own = SqlSettings.of(connection);
      SqlSettings.PINNED.set(connection, false);
      SETTINGS.query(connection, Map.of(), row -> true);
      watchClient(connection);
      MigrationTrust.requireForRun(connection);
      createTables(connection);
      return new RunnerSession(
          connection, takeLock(connection), QuietTriggers.areAllowed(connection), own);
    } catch (SQLException | RuntimeException e) {
      closeAfter(e, connection);
      throw e;
    }
  }

  /** Makes the server cancel a statement soon after this process ends; not every platform can. */
  private static void watchClient(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("set client_connection_check_interval = '1s'");
    } catch (SQLException e) {
      if (!INVALID_SETTING.equals(e.getSQLState())) {
        throw e;
      }
    }
  }

  private static void createTables(Connection connection) throws SQLException {
    if (missingTables(connection).isEmpty()) {
      return;
    }
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      LOCK_TABLES.query(connection, Map.of(), row -> true);
      List<String> missing = missingTables(connection);
      if (!missing.isEmpty()) {
        statement.execute(tables());
      }
      for (String table : missing) {
        statement.execute(CompatibilityView.revokeDefaults(table));
      }
      connection.commit();
      connection.setAutoCommit(true);
    } catch (Throwable e) {
      Rollback.after(e, connection);
      throw e;
    }
  }

  /**
   * By a table of the catalog: {@code to_regclass} may answer as it was before a lock was there.
   */
  private static List<String> missingTables(Connection connection) throws SQLException {
    return MISSING_TABLES.query(connection, Map.of(), row -> row.getString("name"));
  }

  private static String tables() {
    try (InputStream file = RunnerSession.class.getResourceAsStream(TABLES)) {
      if (file == null) {
        throw new IllegalStateException("no " + TABLES + " beside " + RunnerSession.class);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Taken(int pid, boolean isTaken) {}

  private static int takeLock(Connection connection) throws SQLException {
    Optional<Holder> holder = holder(connection);
    Taken taken =
        TAKE_LOCK
            .query(
                connection,
                Map.of(),
                row -> new Taken(row.getInt("pid"), row.getBoolean("is_taken")))
            .get(0);
    if (!taken.isTaken()) {
      throw new MigrationException(
          "another run works on this database: %s; wait for its end, or pause it"
              .formatted(
                  holder(connection)
                      .or(() -> holder)
                      .map(Holder::toString)
                      .orElse("ended just now")));
    }
    boolean isProxied =
        connection.isWrapperFor(PGConnection.class)
            && connection.unwrap(PGConnection.class).getBackendPID() != taken.pid();
    // A session takes a lock as often as it likes: one that has it already is that of another run.
    boolean isShared = holder.filter(other -> other.pid() == taken.pid()).isPresent();
    if (isProxied || isShared) {
      GIVE_LOCK.query(connection, Map.of(), row -> true);
      throw throughPooler();
    }
    return taken.pid();
  }

  private static MigrationException throughPooler() {
    return new MigrationException(
        "a migration needs a session of its own, and this connection goes through a pooler that"
            + " gives its statements to any session: connect to the PostgreSQL server itself");
  }

  /** Returns who has the lock now; empty if there are no tables yet. */
  static Optional<Holder> holder(Connection connection) throws SQLException {
    return HOLDER
        .query(
            connection,
            Map.of(),
            row ->
                new Holder(
                    row.getInt("pid"),
                    Optional.ofNullable(row.getString("application_name")),
                    Optional.ofNullable(row.getString("host"))))
        .stream()
        .findFirst();
  }

  /** Whether an error says that the tables of migrations are missing. */
  static boolean isWithoutTables(SQLException e) {
    return UNDEFINED_TABLE.equals(e.getSQLState()) || UNDEFINED_SCHEMA.equals(e.getSQLState());
  }

  /** The process of this session on the server. */
  int pid() {
    return pid;
  }

  /** From now on transactions fail once this migration is paused. */
  void follow(long id) {
    migration = id;
  }

  /**
   * Runs something in a transaction of its own.
   *
   * @throws PauseRequested if another session paused the migration: nothing was done
   * @throws MigrationException if the lock is lost
   */
  <T> T transaction(Bounds bounds, Work<T> work) throws SQLException, PauseRequested {
    connection.setAutoCommit(false);
    try {
      fence(bounds);
      T result = work.run(connection);
      connection.commit();
      connection.setAutoCommit(true);
      return result;
    } catch (Throwable e) {
      Rollback.after(e, connection);
      throw e;
    }
  }

  private record Fence(boolean isHeld, boolean isPaused) {}

  private void fence(Bounds bounds) throws SQLException, PauseRequested {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("migration", migration);
    values.put("lock_timeout", Math.max(1, bounds.lockTimeout().toMillis()) + "ms");
    values.put("batch", bounds.batch());
    values.put("quiet", bounds.batch() && quiet);
    SqlSettings settings = bounds.batch() ? own : SqlSettings.PINNED;
    values.put("names", settings.names());
    values.put("values", settings.values());
    Fence fence =
        FENCE
            .query(
                connection,
                values,
                row -> new Fence(row.getBoolean("is_held"), row.getBoolean("is_paused")))
            .get(0);
    if (!fence.isHeld()) {
      throw throughPooler();
    }
    if (fence.isPaused()) {
      throw new PauseRequested();
    }
  }

  /** The connection, for what cannot be in a transaction: each statement is committed at once. */
  Connection unbounded() {
    return connection;
  }

  /** Gives the lock back, and the session as it was. */
  @Override
  public void close() {
    try (connection) {
      if (!connection.isClosed()) {
        GIVE_LOCK.query(connection, Map.of(), row -> true);
        reset(connection);
      }
    } catch (SQLException e) {
      // The session is gone, and the lock with it; what the run did is committed.
    }
  }

  private static void reset(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("reset all");
    }
  }

  private static void closeAfter(Exception reason, Connection connection) {
    try (connection) {
      if (!connection.isClosed()) {
        reset(connection);
      }
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }
}
