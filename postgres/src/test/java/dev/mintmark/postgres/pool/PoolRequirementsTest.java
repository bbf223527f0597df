package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class PoolRequirementsTest {
  @OnServers
  void postgresMeetsAllRequirements(TestServer server) {
    TestDatabase database = TestDatabase.create(server);

    assertThat(PoolRequirements.unmetBy(database.dataSource())).isEmpty();
    assertThat(PoolRequirements.unmetBy(database.dataSource())).as("once more").isEmpty();
  }

  @Test
  void tokensThatASessionDrawsAheadAreReported() {
    TestDatabase database = TestDatabase.create();
    database.execute("alter sequence mintmark.pool_token cache 100");

    assertThat(PoolRequirements.unmetBy(database.dataSource()))
        .singleElement()
        .asString()
        .contains("drew the tokens 1, 101 and 2", "ysql_sequence_cache_minval=0");
  }

  @Test
  void aMissingExclusionConstraintIsReported() {
    TestDatabase database = TestDatabase.create();
    database.execute("alter table mintmark.pool_block drop constraint pool_block_numbers_overlap");

    assertThat(PoolRequirements.unmetBy(database.dataSource()))
        .singleElement()
        .asString()
        .contains("1 of the 2 exclusion constraints");
  }

  @Test
  void rowsWithoutAnAddressAndChangesThatAreNotSeenAreReported() {
    TestDatabase database = TestDatabase.create();
    database.execute(
        """
        alter table mintmark.pool_sweep rename to swept;
        create view mintmark.pool_sweep as select * from mintmark.swept;
        create function mintmark.unchanged() returns trigger language plpgsql as 'begin return new; end';
        create trigger unchanged instead of update on mintmark.pool_sweep
          for each row execute function mintmark.unchanged();
        """);

    assertThat(PoolRequirements.unmetBy(database.dataSource()))
        .satisfiesExactly(
            unseen -> assertThat(unseen).contains("yb_enable_read_committed_isolation"),
            address -> assertThat(address).contains("\"ctid\" does not exist"));
  }

  @Test
  void missingTablesAreNoPropertyOfTheDatabase() {
    TestDatabase database = TestServer.NEWEST.createDatabase();

    assertThatThrownBy(() -> PoolRequirements.unmetBy(database.dataSource()))
        .isInstanceOf(PoolUnavailableException.class)
        .hasMessageContaining("no tables of pools");
  }

  @Test
  void aRoleWithoutRightsIsNoPropertyOfTheDatabase() {
    TestDatabase database = TestDatabase.create();
    database.execute("create role requirements_guest login");
    try {
      assertThatThrownBy(() -> PoolRequirements.unmetBy(database.dataSource("requirements_guest")))
          .isInstanceOf(PoolUnavailableException.class)
          .hasMessageContaining("permission denied");
    } finally {
      database.execute("drop role requirements_guest");
    }
  }
}
