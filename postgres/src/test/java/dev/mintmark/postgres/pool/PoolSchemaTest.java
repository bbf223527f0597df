package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of pools that {@link Pools#migrate} creates, beside those of other tools. */
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
    assertThat(Pools.migrate(database.dataSource())).isEqualTo(7);

    assertThat(database.rows(COLUMNS)).isEqualTo(TestDatabase.create().rows(COLUMNS));
    try (Pools pools = Pools.over(database.dataSource())) {
      assertThat(pools.create(PoolSpec.of("ports", List.of(Block.parse("1..9"))))).isTrue();
    }
  }

  @Test
  void migrationsAreRunOnce() throws SQLException {
    assertThat(Pools.migrate(database.dataSource())).isEqualTo(7);
    assertThat(Pools.migrate(database.dataSource())).isZero();
  }

  @Test
  void laterMigrationsAreRunLater() throws SQLException {
    assertThat(Pools.migrate(database.dataSource())).isEqualTo(7);
    database.execute(
        "drop table mintmark.pool_gate; delete from mintmark.pool_migration where name ~ '^V6'");

    assertThat(Pools.migrate(database.dataSource())).isEqualTo(1);
  }

  @Test
  void tablesOfOtherToolsAreLeftToThem() throws SQLException {
    TestDatabase ofFlyway = TestDatabase.create();

    assertThat(Pools.migrate(ofFlyway.dataSource())).isZero();

    ofFlyway.execute("drop view mintmark.pool_claims");
    assertThatIllegalStateException()
        .isThrownBy(() -> Pools.migrate(ofFlyway.dataSource()))
        .withMessageContaining("let that tool run the migrations at " + Pools.MIGRATIONS);
  }

  @Test
  void schemaThatExistsIsUsedWithoutTheRightToCreateOne() throws SQLException {
    database.execute(
        "create role pool_owner_%1$s login; create schema mintmark authorization pool_owner_%1$s"
            .formatted(database.name()));

    assertThat(Pools.migrate(database.dataSource("pool_owner_" + database.name()))).isEqualTo(7);
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
