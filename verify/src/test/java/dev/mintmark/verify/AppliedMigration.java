package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * {@code mintmark migrate}, which changes the text key of a table to {@code uuid}, and is run again
 * whenever it fails because of the database.
 */
final class AppliedMigration {
  private static final int ROWS = 60_000;

  private final PatroniCluster cluster;
  private final Mintmark mintmark;
  private final String database;
  private final Path catalog;
  private final CompletableFuture<Integer> failures;

  /**
   * Creates a database with the table, and returns when some rows are migrated.
   *
   * @param directory where the program runs
   * @param database the name of the new database
   */
  AppliedMigration(Path directory, PatroniCluster cluster, String database) {
    this.cluster = cluster;
    this.mintmark = Mintmark.in(directory);
    this.database = database;
    this.catalog = directory.resolve(database + ".yaml");
    try {
      Files.writeString(
          catalog,
          "namespace: shop\ncollections:\n  orders: { kind: ulid, table: public.orders }\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cluster.execute("create database " + database);
    // Hexadecimal digits are digits of a ULID too.
    execute(
        """
        create table orders (id text primary key, number integer not null);
        insert into orders select '01' || upper(left(md5(n::text), 24)), n from generate_series(1, %d) n;
        create table before as select * from orders
        """
            .formatted(ROWS));
    failures =
        CompletableFuture.supplyAsync(this::apply, task -> new Thread(task, "migrate").start());
    Eventually.present(
        Patience.MAX,
        () -> Optional.of(isUnderWay() || failures.isDone()).filter(Boolean::booleanValue));
  }

  /** Runs it until it is complete; returns how often it failed. */
  private int apply() {
    for (int failed = 0; ; failed++) {
      Outcome outcome =
          mintmark.run(
              "migrate",
              isBegun() ? "resume" : "apply",
              "--catalog",
              catalog.toString(),
              "--database-url",
              cluster.jdbcUrl(database));
      if (outcome.status() == 0 || isIn("baking")) {
        return failed;
      }
      assertThat(outcome.status()).as(outcome.err()).isEqualTo(3);
    }
  }

  private boolean isBegun() {
    return answers("select to_regclass('mintmark.key_migration')").get(0) != null
        && !answers("select state from mintmark.key_migration").isEmpty();
  }

  private boolean isIn(String state) {
    return isBegun() && answers("select state from mintmark.key_migration").contains(state);
  }

  private boolean isUnderWay() {
    return isBegun()
        && !answers("select 1 from mintmark.key_migration_step where rows_done > 0").isEmpty();
  }

  /** Waits until it is complete, and returns how often it failed before. */
  int awaitEnd() {
    return failures.orTimeout(Patience.MAX.toSeconds(), TimeUnit.SECONDS).join();
  }

  /**
   * Rows that were lost or have another key: the numbers. Old code sees the new keys as texts,
   * through a view.
   */
  List<String> wrong() {
    return answers(
        "select number from before full join orders using (number)"
            + " where before.id is distinct from orders.id::text");
  }

  private void execute(String sql) {
    try (Connection connection = cluster.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column of every row; from the next primary if this one fails. */
  private List<String> answers(String sql) {
    return Eventually.present(
        Patience.MAX,
        () -> {
          try (Connection connection = cluster.connect(database);
              Statement statement = connection.createStatement();
              ResultSet row = statement.executeQuery(sql)) {
            List<String> answers = new ArrayList<>();
            while (row.next()) {
              answers.add(row.getString(1));
            }
            return Optional.of(answers);
          } catch (SQLException e) {
            return Optional.empty();
          }
        });
  }
}
