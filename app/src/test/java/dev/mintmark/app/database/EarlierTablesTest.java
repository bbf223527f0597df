package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.app.service.MigrationScript;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database whose tables an earlier version of Mintmark has created. */
@Tag("long")
class EarlierTablesTest {
  @Test
  void theyAreUpgradedByServeAndTheirExclusionsStay() throws SQLException {
    String url = OwnDatabases.create();
    createFirstVersion(url, "schema_history");
    DatabaseAddress address = DatabaseAddress.parse(url);

    assertThatThrownBy(() -> Database.connectToUse(address))
        .isInstanceOf(StartupException.class)
        .hasMessageEndingWith(
            "its tables belong to an earlier version of Mintmark: stop the programs of that version,"
                + " then run mintmark serve as the owner of the tables, which upgrades them");
    try (Database database = Database.connect(address);
        Pools pools = Pools.over(database.connectionPool("test", 1))) {
      Pool pool = pools.open("p");
      assertThat(pool.spec().exclude()).containsExactly(Block.parse("10.0.0.4/31"));
      assertThat(pool.exclude(List.of(Block.parse("10.0.0.1")))).isTrue();

      Set<String> values = new HashSet<>();
      while (pool.claim(ClaimRequest.of("c" + values.size())) instanceof Granted granted) {
        values.add(granted.claim().value());
      }
      assertThat(values).containsExactlyInAnyOrder("10.0.0.2", "10.0.0.3", "10.0.0.6");
    }
    Database.connectToUse(address).close();
  }

  @Test
  void thoseOfAnotherToolAreLeftToIt() throws SQLException {
    String url = OwnDatabases.create();
    createFirstVersion(url, "history_of_another");
    DatabaseAddress address = DatabaseAddress.parse(url);

    for (Function<DatabaseAddress, Database> way :
        List.<Function<DatabaseAddress, Database>>of(Database::connect, Database::connectToUse)) {
      assertThatThrownBy(() -> way.apply(address))
          .isInstanceOf(StartupException.class)
          .hasMessageEndingWith(
              "and another tool created them: stop the programs of that version, then let that tool run"
                  + " the migrations at dev/mintmark/postgres/pool/schema");
    }
  }

  /** All migrations but the last: it is found out which was run, not only whether some were. */
  @Test
  void tablesThatLackTheLastMigrationAreRefused() throws SQLException {
    String url = OwnDatabases.create();
    Flyway migrations = flyway(url, "history_of_another").load();
    MigrationVersion last =
        migrations.info().all()[migrations.info().all().length - 1].getVersion();
    flyway(url, "history_of_another")
        .target(Integer.toString(Integer.parseInt(last.getVersion()) - 1))
        .load()
        .migrate();
    DatabaseAddress address = DatabaseAddress.parse(url);

    assertThatThrownBy(() -> Database.connectToUse(address))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("its tables belong to an earlier version of Mintmark");
  }

  @Test
  void aScriptThatWasRunByHandSuffices() throws SQLException {
    String url = OwnDatabases.create();
    execute(url, MigrationScript.of(Pools.MIGRATIONS));
    DatabaseAddress address = DatabaseAddress.parse(url);

    Database.connect(address).close();
    Database.connectToUse(address).close();
  }

  @Test
  void tablesOfAnotherScriptAreRefused() throws SQLException {
    String url = OwnDatabases.create();
    DatabaseAddress address = DatabaseAddress.parse(url);
    try (Database database = Database.connect(address)) {
      database.createAccessTables();
      assertThat(agrees(url, TableSet.POOLS)).isTrue();
      assertThat(agrees(url, TableSet.ACCESS)).isTrue();
    }
    for (String change :
        List.of(
            "update mintmark.schema_history set checksum = checksum + 1 where version = '4'",
            "update mintmark.schema_history set success = false where version = '4'",
            "update mintmark.schema_history set script = 'V4__other.sql' where version = '4'",
            "delete from mintmark.schema_history where version = '4'",
            "drop table mintmark.schema_history")) {
      assertThat(agreesAfter(change, url)).as(change).isFalse();
    }
    assertThat(
            agreesAfter(
                "update mintmark.schema_history set (version, script) = ('99', 'V99__later.sql')"
                    + " where version = '13'",
                url))
        .as("a later version has run")
        .isTrue();

    execute(url, "update mintmark.schema_history set checksum = 1 where version = '4'");
    assertThatThrownBy(() -> Database.connect(address))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("a version of Mintmark that this version cannot upgrade");
  }

  /** In a transaction that is rolled back. */
  private static boolean agreesAfter(String change, String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(change);
      return MigrationHistory.agrees(connection, TableSet.POOLS);
    }
  }

  private static boolean agrees(String url, TableSet tables) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      return MigrationHistory.agrees(connection, tables);
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static FluentConfiguration flyway(String url, String history) {
    return Flyway.configure()
        .dataSource(url, null, null)
        .schemas("mintmark")
        .table(history)
        .locations("classpath:" + Pools.MIGRATIONS);
  }

  /** Creates the tables, and a pool of 10.0.0.0/29 of which two values were issued. */
  private static void createFirstVersion(String url, String history) throws SQLException {
    flyway(url, history).target("1").load().migrate();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          with pool as (
            insert into mintmark.pool (name, value_order, per_client, sticky, quarantine)
            values ('p', 'random', 1, true, '0')
            returning pool_id),
          block as (
            insert into mintmark.pool_block (pool_id, declared, addresses, excluded, size, seed, issued)
            select pool_id, '10.0.0.0/29', '10.0.0.0/29', '{10.0.0.4/31}', 4, '0123456789abcdef', 2
            from pool
            returning pool_id, block_id)
          insert into mintmark.pool_free (pool_id, block_id, place)
          select pool_id, block_id, place from block cross join generate_series(0, 1) as place
          """);
    }
  }
}
