package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tables of pools that {@link Pools#migrate} creates, beside those of other tools. */
@Tag("database")
class PoolSchemaTest {
  private static final String COLUMNS =
      """
      select table_name, column_name, data_type, column_default
      from information_schema.columns
      where table_schema = 'mintmark' and table_name <> all ('{pool_migration,flyway_schema_history}')
      order by 1, 2
      """;

  private final TestDatabase database = TestServer.NEWEST.createDatabase();

  @Test
  void tablesAreThoseOfFlyway() throws SQLException {
    assertThat(Pools.migrate(database.dataSource())).isEqualTo(13);

    assertThat(database.rows(COLUMNS)).isEqualTo(TestDatabase.create().rows(COLUMNS));
    try (Pools pools = Pools.over(database.dataSource())) {
      assertThat(pools.create(PoolSpec.of("ports", List.of(Block.parse("1..9"))))).isTrue();
    }
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void migrationsAreRunOnce(TestServer server) throws SQLException {
    TestDatabase empty = server.createDatabase();

    assertThat(Pools.migrate(empty.dataSource())).isEqualTo(13);
    assertThat(Pools.migrate(empty.dataSource())).isZero();
  }

  @Test
  void laterMigrationsAreRunLater() throws SQLException {
    assertThat(Pools.migrate(database.dataSource())).isEqualTo(13);
    database.execute(
        "drop table mintmark.pool_gate; delete from mintmark.pool_migration where name ~ '^V6'");

    assertThat(Pools.migrate(database.dataSource())).isEqualTo(1);
  }

  /** What a version before V8__search has granted is found by its searches. */
  @Test
  void claimsOfAnEarlierVersionAreKept() throws SQLException {
    migrateTo(database, "7");
    database.execute(
        """
        with pool as (
          insert into mintmark.pool (name, value_order, per_client, sticky, quarantine, history)
          values ('p', 'random', 1, true, '0', '1 day')
          returning pool_id),
        block as (
          insert into mintmark.pool_block (pool_id, declared, addresses, size, seed, issued)
          select pool_id, '10.0.0.0/29', '10.0.0.0/29', 6, '0123456789abcdef', 2
          from pool
          returning pool_id, block_id)
        insert into mintmark.pool_claim (pool_id, block_id, place, client, slot, owner, token, claimed_at)
        select pool_id, block_id, place, 'vm-' || place, 0, 'acme', nextval('mintmark.pool_token'), now()
        from block cross join generate_series(0, 1) as place
        """);

    migrateTo(database, "latest");

    try (Pools pools = Pools.over(database.dataSource())) {
      Pool pool = pools.open("p");
      ClaimFilter filter = ClaimFilter.ALL.withClient(Optional.of(NameMatch.startingWith("vm-1")));
      Claim claim = pool.claims(filter, 10).get(0);
      assertThat(claim.value()).isEqualTo("10.0.0.2");
      assertThat(pool.claim(ClaimRequest.of("vm-1"))).isInstanceOf(ClaimResult.AlreadyHeld.class);
      ClaimNote note = ClaimNote.of(Map.of("rack", "b7"));
      assertThat(pool.notes().set(claim.value(), claim.token(), note))
          .isEqualTo(new NoteResult.Noted(note));
      assertThat(pool.claim(ClaimRequest.of("vm-2").withOwner("acme")))
          .isInstanceOf(ClaimResult.Granted.class);
      assertThat(pool.claims(ClaimFilter.ofOwner("acme"), 10)).hasSize(3);
    }
    assertThat(PoolInvariants.violations(database)).isEmpty();
  }

  private static void migrateTo(TestDatabase database, String version) {
    Flyway.configure()
        .dataSource(database.dataSource())
        .schemas("mintmark")
        .locations("classpath:" + Pools.MIGRATIONS)
        .target(version)
        .load()
        .migrate();
  }

  @Test
  void tablesOfOtherToolsAreLeftToThem() throws SQLException {
    TestDatabase ofFlyway = TestDatabase.create();

    assertThat(Pools.migrate(ofFlyway.dataSource())).isZero();

    ofFlyway.execute("alter table mintmark.pool_supply rename to supply_of_tests");
    assertThatIllegalStateException()
        .isThrownBy(() -> Pools.migrate(ofFlyway.dataSource()))
        .withMessageContaining("let that tool run the migrations at " + Pools.MIGRATIONS);
  }

  @Test
  void schemaThatExistsIsUsedWithoutTheRightToCreateOne() throws SQLException {
    database.execute(
        "create role pool_owner_%1$s login; create schema mintmark authorization pool_owner_%1$s"
            .formatted(database.name()));

    assertThat(Pools.migrate(database.dataSource("pool_owner_" + database.name()))).isEqualTo(13);
  }

  @Test
  void everyMigrationIsListed() throws IOException, URISyntaxException {
    Path directory =
        Path.of(Objects.requireNonNull(Pools.class.getResource("schema/V1__pools.sql")).toURI());
    try (Stream<Path> files = Files.list(directory.resolveSibling(""))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              PoolSchema.MIGRATIONS.stream().map(name -> name + ".sql").toList());
    }
  }
}
