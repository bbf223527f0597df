package dev.mintmark.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.postgres.pool.Pools;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** A database of its own in a PostgreSQL that the tests of this module share. */
public final class TestDatabase {
  /** What those with the tables of pools are copied from: a copy takes a tenth of a migration. */
  private static final Map<TestServer, TestDatabase> WITH_POOLS = new ConcurrentHashMap<>();

  private final TestServer server;
  private final String name;

  TestDatabase(TestServer server, String name) {
    this.server = server;
    this.name = name;
  }

  /** A new database with the tables of pools. */
  public static TestDatabase create() {
    return create(TestServer.NEWEST);
  }

  /** The same on a server of another version. */
  public static TestDatabase create(TestServer server) {
    return WITH_POOLS.computeIfAbsent(server, TestDatabase::migrated).copy();
  }

  private static TestDatabase migrated(TestServer server) {
    TestDatabase database = server.createDatabase();
    Flyway.configure()
        .dataSource(database.dataSource())
        .schemas("mintmark")
        .locations("classpath:" + Pools.MIGRATIONS)
        .load()
        .migrate();
    return database;
  }

  /** A new database with all that is in this one, to which nobody may be connected. */
  public TestDatabase copy() {
    return server.createDatabase("template " + name);
  }

  /** Connections without a pool. */
  public DataSource dataSource() {
    return dataSource("postgres");
  }

  /** The same for another role than the superuser. */
  public DataSource dataSource(String user) {
    return server.running().getDatabase(user, name);
  }

  /** The server's port on this machine. */
  public int port() {
    return server.running().getPort();
  }

  public String name() {
    return name;
  }

  /** A connection pool of its own, as an instance of a program has. */
  public HikariDataSource connectionPool(int connections) {
    return connectionPool(connections, Duration.ofSeconds(30));
  }

  /** One that gives up after {@code patience} where all its connections are in use. */
  public HikariDataSource connectionPool(int connections, Duration patience) {
    HikariConfig config = new HikariConfig();
    config.setConnectionTimeout(patience.toMillis());
    config.setDataSource(dataSource());
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }

  public long number(String sql) {
    return value(sql, Long.class);
  }

  public String text(String sql) {
    return text("postgres", sql);
  }

  /** The same as another role than the superuser. */
  public String text(String user, String sql) {
    return query(user, sql, row -> row.getString(1)).get(0);
  }

  /** The first column of the first row. */
  public <T> T value(String sql, Class<T> type) {
    return query("postgres", sql, row -> row.getObject(1, type)).get(0);
  }

  /** Every row, each column as text. */
  public List<List<String>> rows(String sql) {
    return query(
        "postgres",
        sql,
        row -> {
          List<String> columns = new ArrayList<>();
          for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
            columns.add(String.valueOf(row.getString(column)));
          }
          return columns;
        });
  }

  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> query(String user, String sql, RowReader<T> reader) {
    try (Connection connection = dataSource(user).getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<T> rows = new ArrayList<>();
      while (result.next()) {
        rows.add(reader.read(result));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public void execute(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      // What a test that failed has left open does not hang those after it.
      statement.execute("set lock_timeout = '30s'");
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
