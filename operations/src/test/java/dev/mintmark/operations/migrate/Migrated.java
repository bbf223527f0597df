package dev.mintmark.operations.migrate;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pack.Pack;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A database of a test, and a catalog that it is to become. */
final class Migrated {
  static final Pace PACE = Pace.FULL;

  final TestDatabase database;
  final Migrations migrations;
  private final Catalog catalog;

  Migrated(TestDatabase database, CollectionSpec... collections) {
    this.database = database;
    this.migrations = Migrations.over(database.dataSource());
    this.catalog = catalog(collections);
  }

  static Catalog catalog(CollectionSpec... collections) {
    return new Catalog(
        new NamespaceSpec("shop", Optional.empty(), List.of(collections)), List.of(), List.of());
  }

  /** Runs a script beside the tests. */
  static void run(TestDatabase database, String script) {
    try (InputStream file = Migrated.class.getResourceAsStream(script)) {
      database.execute(
          new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins a transaction of a session with the name {@code the other}. */
  static Connection other(TestDatabase database, String... statements) throws SQLException {
    Connection connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    connection.setClientInfo("ApplicationName", "the other");
    for (String sql : statements) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
    return connection;
  }

  MigrationPlan plan() {
    return plan(InvalidValues.REFUSE);
  }

  MigrationPlan plan(InvalidValues invalid) {
    try {
      return MigrationPlanner.over(database.dataSource(), Pack.inSchema("mintmark").sql())
          .plan(catalog, invalid, reading -> {});
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void apply() throws SQLException {
    migrations.apply(plan(), PACE, MigrationListener.SILENT);
  }

  void apply(InvalidValues invalid) throws SQLException {
    migrations.apply(plan(invalid), PACE, MigrationListener.SILENT);
  }

  void rollback() throws SQLException {
    migrations.rollback(PACE, MigrationListener.SILENT);
  }

  void contract() throws SQLException {
    migrations.contract(PACE, MigrationListener.SILENT);
  }
}
