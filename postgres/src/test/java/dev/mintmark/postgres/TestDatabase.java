package dev.mintmark.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.postgres.pool.Pools;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** A database of its own in the one PostgreSQL that the tests of this module share. */
public final class TestDatabase {
  private static final EmbeddedPostgres SERVER = start();
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final String name;

  private TestDatabase(String name) {
    this.name = name;
  }

  /** A new database with the tables of pools. */
  public static TestDatabase create() {
    TestDatabase database = new TestDatabase("test" + DATABASES.incrementAndGet());
    try (Connection connection = SERVER.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + database.name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    Flyway.configure()
        .dataSource(database.dataSource())
        .schemas("mintmark")
        .locations("classpath:" + Pools.MIGRATIONS)
        .load()
        .migrate();
    return database;
  }

  /** Connections without a pool. */
  public DataSource dataSource() {
    return SERVER.getDatabase("postgres", name);
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
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public void execute(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EmbeddedPostgres start() {
    try {
      return EmbeddedPostgres.builder().setLocaleConfig("locale", "C").start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
