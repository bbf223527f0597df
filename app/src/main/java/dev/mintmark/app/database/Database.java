package dev.mintmark.app.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.mintmark.Quoted;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pool.Pools;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The PostgreSQL that a command works on: the user's own, or an embedded one that is stopped when
 * this is closed.
 */
public final class Database implements CloseAtExit.Resource {
  /** How long a caller waits for a connection. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The timeout for a statement: a database that does not answer has failed. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  /** The same for a request to a server, whose client waits. */
  private static final Duration REQUEST_ANSWER_TIMEOUT = Duration.ofSeconds(5);

  /** The driver's parameter: after how many executions it prepares a statement on the server. */
  private static final String PREPARE_THRESHOLD = "prepareThreshold";

  /** How long a pool of a server waits before the caller looks why: half a second. */
  private static final Duration POOL_TIMEOUT = Duration.ofMillis(500);

  /**
   * SQLSTATEs of a database that is not there: connection exceptions except 08004, with which the
   * driver reports a login that it cannot make; 57P01 to 57P03, the server stops or starts; 25006,
   * it is a standby.
   */
  private static final Pattern AWAITED = Pattern.compile("08(?!004).*|57P0.|25006");

  private static final String UNDEFINED_TABLE = "42P01";

  private static final String POOLS = "mintmark.pool_claim";

  /** Which migrations we ran. */
  private static final String HISTORY = TableSet.SCHEMA + "." + TableSet.POOLS.history();

  /** A table that the last migration created. */
  private static final String NEWEST = "mintmark.pool_supply";

  private static final String TABLES_EXIST =
      "select pg_catalog.to_regclass(?) is not null, pg_catalog.to_regclass(?) is not null,"
          + " pg_catalog.to_regclass(?) is not null";

  private static final String MAY_CREATE_TABLES =
      "select case when pg_catalog.to_regnamespace(?) is null"
          + " then pg_catalog.has_database_privilege(pg_catalog.current_database(), 'create')"
          + " else pg_catalog.has_schema_privilege(pg_catalog.to_regnamespace(?), 'create') end";

  private static final String TABLE_OF_ACCESS = "mintmark.access_audit";

  /** A column of it that the last of those migrations created. */
  private static final String NEWEST_OF_ACCESS = "request_id";

  private final DatabaseAddress address;
  private final @Nullable EmbeddedDatabase embedded;
  private final Deque<HikariDataSource> connectionPools = new ArrayDeque<>();

  /** For questions of ours, and for a command that uses one connection at a time. */
  private final OneConnection own;

  private Database(DatabaseAddress address, @Nullable EmbeddedDatabase embedded) {
    this.address = address;
    this.embedded = embedded;
    this.own = new OneConnection(unpooled("mintmark", false, ANSWER_TIMEOUT), PATIENCE);
  }

  /**
   * Connects to a running PostgreSQL and creates or upgrades our tables, which requires a role with
   * that right. Tables that another tool created, such as a program's own Flyway, are its to
   * upgrade.
   *
   * @throws StartupException if it cannot be reached, our tables cannot be created, or those of
   *     another tool belong to an earlier version
   */
  public static Database connect(DatabaseAddress address) {
    return prepared(new Database(address, null), Database::upgradePools);
  }

  /** Returns a database after a preparation, or closes it if that fails. */
  private static Database prepared(Database database, Consumer<Database> preparation) {
    try {
      preparation.accept(database);
      return database;
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /**
   * Connects to a running PostgreSQL and creates our tables if there are none. Existing tables are
   * not upgraded, so a role that owns nothing is sufficient.
   *
   * @throws StartupException if it cannot be reached, our tables cannot be created, or they belong
   *     to an earlier version
   */
  public static Database connectToUse(DatabaseAddress address) {
    return prepared(new Database(address, null), Database::createPools);
  }

  private void createPools() {
    own.keep();
    Tables tables = tables();
    if (!tables.exist) {
      migrate(TableSet.POOLS);
    } else if (!tables.areOurs) {
      checkTablesOfOthers(tables);
    } else if (!tables.areUpToDate) {
      throw new StartupException(
          ("database %s: its tables belong to an earlier version of Mintmark: stop the programs of that"
                  + " version, then run mintmark serve as the owner of the tables, which upgrades them")
              .formatted(address.shown()));
    }
  }

  /** As {@link #connectToUse}, for a database whose sequences are fed from a pool. */
  public static Database connectToFeed(DatabaseAddress address) {
    return prepared(
        new Database(address, null),
        database -> {
          if (!database.hasColumn("mintmark.sequence_feed", "timeline")) {
            database.migrate(TableSet.FEEDS);
          }
        });
  }

  /**
   * Creates or upgrades the tables of keys and of the audit, unless they are up to date.
   *
   * @throws StartupException if the role may not do so
   */
  public void createAccessTables() {
    if (!hasColumn(TABLE_OF_ACCESS, NEWEST_OF_ACCESS)) {
      migrate(TableSet.ACCESS);
    }
  }

  /** Whether the database has the tables of keys and of the audit, of whichever version. */
  public boolean hasAccessTables() {
    return hasTable(TABLE_OF_ACCESS);
  }

  /** Connects to a running PostgreSQL without looking for or creating our tables. */
  public static Database connectAsItIs(DatabaseAddress address) {
    return new Database(address, null);
  }

  /** Returns an embedded PostgreSQL with our tables, which is stopped when this is closed. */
  public static Database over(EmbeddedDatabase embedded) {
    return prepared(withoutTables(embedded), Database::upgradePools);
  }

  /**
   * Starts an embedded PostgreSQL without tables in a new or empty directory, into which a backup
   * is restored. Until {@link #endRestore} no other command uses the directory.
   *
   * @throws StartupException as {@link EmbeddedDatabase#startRestore}
   */
  public static Database startRestore(Path directory) {
    return withoutTables(EmbeddedDatabase.startRestore(directory));
  }

  private static Database withoutTables(EmbeddedDatabase embedded) {
    return new Database(DatabaseAddress.parse(embedded.jdbcUrl()), embedded);
  }

  /** What was restored into the embedded PostgreSQL is complete. */
  public void endRestore() {
    Objects.requireNonNull(embedded, "a database of the user's own is not restored").endRestore();
  }

  /** Returns what an administrator must know about the rights of an embedded PostgreSQL. */
  public Optional<String> warning() {
    return Optional.ofNullable(embedded).flatMap(EmbeddedDatabase::warning);
  }

  /**
   * Calls {@code action} with a message for the user if the embedded PostgreSQL ends before this is
   * closed. A database of the user's own may end, and is awaited.
   */
  public void onUnexpectedEnd(Consumer<String> action) {
    if (embedded != null) {
      embedded.onUnexpectedEnd(action);
    }
  }

  /** Returns the data directory of an embedded PostgreSQL. */
  public Optional<Path> directory() {
    return Optional.ofNullable(embedded).map(EmbeddedDatabase::directory);
  }

  /** Returns the URL for messages: with the login only for the embedded database. */
  public String shownUrl() {
    return embedded == null ? address.shown() : address.jdbcUrl();
  }

  /**
   * Returns the address without the login, the role, the version of the server and whether it is
   * the primary; the reason if it cannot be asked.
   */
  public String description() {
    try (Connection connection = own.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "select current_user, pg_catalog.current_setting('server_version'),"
                    + " pg_catalog.pg_is_in_recovery()");
        ResultSet answer = statement.executeQuery()) {
      answer.next();
      return "%s: role %s, PostgreSQL %s, %s"
          .formatted(
              address.shown(),
              answer.getString(1),
              answer.getString(2),
              answer.getBoolean(3) ? "standby" : "primary");
    } catch (SQLException e) {
      return "%s: %s".formatted(address.shown(), reason(e));
    }
  }

  /** Returns the address with its login. Must not be logged. */
  public DatabaseAddress address() {
    return address;
  }

  /** Returns an exception with the address of the database and the first line of the message. */
  public StartupException failure(Throwable e) {
    return new StartupException("database %s: %s".formatted(address.shown(), reason(e)), e);
  }

  /**
   * Returns whether a command failed because the database is not there, or has no primary, and so
   * may succeed later: it refuses connections, does not answer, starts or stops, or is a standby.
   * Not if the server rejected the login, or has no such database.
   */
  public static boolean isAwaited(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException failed && failed.getSQLState() != null) {
        return AWAITED.matcher(failed.getSQLState()).matches();
      }
    }
    return false;
  }

  /** Returns why the database failed, with what to do about it where the driver does not say so. */
  private static String reason(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException unknown) {
        return "unknown host " + Quoted.of(String.valueOf(unknown.getMessage()));
      }
    }
    String message = firstLine(e);
    if (message.contains("no password was provided")) {
      return "the server requires a password: set PGPASSWORD, or add a line to ~/.pgpass";
    }
    return e instanceof SQLException failed && UNDEFINED_TABLE.equals(failed.getSQLState())
        ? message + "; the tables of Mintmark may be missing: mintmark serve creates them"
        : message;
  }

  /**
   * Returns a connection for a command, which is opened by now: one for all callers, who wait for
   * each other. It uses no prepared statements of the server, so it works behind every pooler. It
   * is closed with this.
   *
   * @throws StartupException if the database cannot be reached
   */
  public DataSource connection() {
    own.keep();
    try {
      own.getConnection().close();
      return own;
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /**
   * Returns a connection pool, which is closed with this unless it was closed before. It uses no
   * prepared statements of the server, so it works behind every pooler.
   *
   * @param name its name in threads and messages
   * @param connections the maximum, which is also the number that is kept open
   * @throws StartupException if the database cannot be reached
   */
  public HikariDataSource connectionPool(String name, int connections) {
    return connectionPool(name, connections, false, PATIENCE);
  }

  /**
   * As {@link #connectionPool}, for a program that repeats its statements: it prepares them on the
   * server, unless a pooler stands before the database. A caller waits for one of the connections
   * as long as for the answer to a statement of another caller.
   */
  public HikariDataSource servingConnectionPool(String name, int connections) {
    return connectionPool(name, connections, !isBehindPooler(), ANSWER_TIMEOUT);
  }

  private synchronized HikariDataSource connectionPool(
      String name, int connections, boolean isPrepared, Duration patience) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(unpooled("mintmark", isPrepared, ANSWER_TIMEOUT));
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(patience.toMillis());
    return open(config);
  }

  /**
   * Returns pooled connections for the requests to a server: they fail soon if the database is down
   * or does not answer, and prepare statements on the server like those of {@link
   * #servingConnectionPool}. They are closed with this.
   *
   * @param name the name of the pool in threads and messages
   * @param connections the maximum, which is also the number that is kept open
   * @throws StartupException if the database cannot be reached
   */
  public synchronized DataSource servingConnections(String name, int connections) {
    FailFastConnections.Attempts attempts =
        new FailFastConnections.Attempts(
            unpooled("mintmark", !isBehindPooler(), REQUEST_ANSWER_TIMEOUT), System::nanoTime);
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(attempts);
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(POOL_TIMEOUT.toMillis());
    config.setValidationTimeout(POOL_TIMEOUT.toMillis());
    config.setInitializationFailTimeout(PATIENCE.toMillis());
    HikariDataSource pool = open(config);
    attempts.repeatWhile(() -> !pool.isClosed());
    return new FailFastConnections(pool, attempts, System::nanoTime);
  }

  private HikariDataSource open(HikariConfig config) {
    try {
      HikariDataSource connectionPool = new ConnectionPool(config);
      connectionPools.push(connectionPool);
      return connectionPool;
    } catch (PoolInitializationException e) {
      throw failure(Optional.ofNullable(e.getCause()).orElse(e));
    }
  }

  /**
   * Returns unpooled connections, which callers must close: for connections that are held long, and
   * statements that take long.
   *
   * @param name the application name in the database
   */
  public DataSource ownConnections(String name) {
    return unpooled(name, false, Duration.ZERO);
  }

  /** As {@link #ownConnections}, for statements that take a minute at most. */
  public DataSource examiningConnections(String name) {
    return unpooled(name, false, ANSWER_TIMEOUT);
  }

  /** As {@link #ownConnections}, to listen for notifications: its own statements are short. */
  public DataSource listeningConnections(String name) {
    return unpooled(name, false, REQUEST_ANSWER_TIMEOUT);
  }

  private DataSource unpooled(String name, boolean isPrepared, Duration answerTimeout) {
    List<DriverConnections> hosts =
        (address.isOfPrimary() ? address.hosts() : List.of(address))
            .stream().map(host -> unpooled(host, name, isPrepared, answerTimeout)).toList();
    return hosts.size() == 1 ? hosts.get(0) : new PrimaryConnections(hosts);
  }

  private DriverConnections unpooled(
      DatabaseAddress host, String name, boolean isPrepared, Duration answerTimeout) {
    DriverConnections connections =
        new DriverConnections(host, address.hasSeveralHosts(), name, answerTimeout);
    if (!isPrepared && !address.hasParameter(PREPARE_THRESHOLD)) {
      connections.setPrepareThreshold(0);
    }
    return connections;
  }

  /**
   * Returns whether a pooler stands before the database. It gives clients keys of its own for
   * cancelling, so the process of such a key is not the one that the server reports.
   */
  private boolean isBehindPooler() {
    if (embedded != null) {
      return false;
    }
    try (Connection connection = own.getConnection();
        PreparedStatement statement =
            connection.prepareStatement("select pg_catalog.pg_backend_pid()");
        ResultSet process = statement.executeQuery()) {
      process.next();
      return process.getInt(1) != connection.unwrap(PGConnection.class).getBackendPID();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public synchronized void close() {
    connectionPools.forEach(HikariDataSource::close);
    connectionPools.clear();
    own.close();
    if (embedded != null) {
      embedded.close();
    }
  }

  /**
   * What a database has of the tables of pools.
   *
   * @param areOurs whether we created them
   */
  private record Tables(boolean exist, boolean areOurs, boolean areUpToDate) {}

  private Tables tables() {
    List<Boolean> found = ask(TABLES_EXIST, POOLS, HISTORY, NEWEST);
    return new Tables(found.get(0), found.get(1), found.get(2));
  }

  /** Creates or upgrades the tables of pools, unless another tool created them. */
  private void upgradePools() {
    Tables tables = tables();
    if (tables.exist && !tables.areOurs) {
      checkTablesOfOthers(tables);
    } else if (!tables.areUpToDate || !historyAgrees()) {
      migrate(TableSet.POOLS);
    }
  }

  private boolean historyAgrees() {
    try (Connection connection = own.getConnection()) {
      return MigrationHistory.agrees(connection, TableSet.POOLS);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /** Whoever created the tables upgrades them: their history is not in ours. */
  private void checkTablesOfOthers(Tables tables) {
    if (!tables.areUpToDate) {
      throw new StartupException(
          ("database %s: its tables belong to an earlier version of Mintmark, and another tool created"
                  + " them: stop the programs of that version, then let that tool run the migrations at %s")
              .formatted(address.shown(), Pools.MIGRATIONS));
    }
  }

  private boolean hasTable(String table) {
    return ask("select pg_catalog.to_regclass(?) is not null", table).get(0);
  }

  private boolean hasColumn(String table, String column) {
    return ask(
            "select exists (select from pg_catalog.pg_attribute"
                + " where attrelid = pg_catalog.to_regclass(?) and attname = ?)",
            table,
            column)
        .get(0);
  }

  /** Returns the values of the only row of a query. */
  private List<Boolean> ask(String query, String... parameters) {
    try (Connection connection = own.getConnection();
        PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet answer = statement.executeQuery()) {
        answer.next();
        List<Boolean> values = new ArrayList<>();
        for (int i = 1; i <= answer.getMetaData().getColumnCount(); i++) {
          values.add(answer.getBoolean(i));
        }
        return values;
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /**
   * Creates or upgrades tables.
   *
   * @throws StartupException if the role may not do so, or they belong to a version of Mintmark
   *     that this one cannot upgrade
   */
  public void migrate(TableSet tables) {
    migrate(tables, MigrationVersion.LATEST);
  }

  /**
   * As {@link #migrate(TableSet)}, up to a version.
   *
   * @throws StartupException also if this Mintmark does not know the version
   */
  public void migrate(TableSet tables, String version) {
    migrate(tables, MigrationVersion.fromVersion(version));
  }

  private void migrate(TableSet tables, MigrationVersion version) {
    checkMayCreate(tables);
    try (HikariDataSource connectionPool = connectionPool("mintmark-migrate", 2)) {
      Flyway.configure()
          .dataSource(connectionPool)
          .initSql("set search_path = pg_catalog")
          .schemas(TableSet.SCHEMA)
          .table(tables.history())
          .locations("classpath:" + tables.migrations())
          .target(version)
          .ignoreMigrationPatterns("*:missing", "*:future")
          .validateMigrationNaming(true)
          .baselineOnMigrate(true)
          .baselineVersion("0")
          .load()
          .migrate();
    } catch (FlywayValidateException e) {
      throw new StartupException(
          ("database %s: its tables belong to a version of Mintmark that this version cannot upgrade."
                  + " Run that version or, if the data is not needed, drop schema mintmark cascade")
              .formatted(address.shown()),
          e);
    } catch (FlywayException e) {
      throw new StartupException(
          "database %s: our tables could not be created or upgraded: %s"
              .formatted(address.shown(), firstLine(ofServer(e))),
          e);
    }
  }

  /** Refuses at once what Flyway would try for ten seconds. */
  private void checkMayCreate(TableSet tables) {
    if (!hasTable(TableSet.SCHEMA + "." + tables.history())
        && !ask(MAY_CREATE_TABLES, TableSet.SCHEMA, TableSet.SCHEMA).get(0)) {
      throw new StartupException(
          ("database %s: our tables could not be created: the role lacks the right. Run this as the owner of the"
                  + " database, or grant the role create on the database or, if it exists, on the schema %s")
              .formatted(address.shown(), TableSet.SCHEMA));
    }
  }

  /** Returns what the server or the driver reported; the failure itself if there is nothing. */
  private static Throwable ofServer(FlywayException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException) {
        return cause;
      }
    }
    return e;
  }

  private static String firstLine(Throwable e) {
    String message = Optional.ofNullable(e.getMessage()).orElse(e.toString());
    return message.lines().filter(line -> !line.isBlank()).findFirst().orElse(e.toString());
  }
}
