package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pool.Pools;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The SQL of README.md, docs/hibernate.md, docs/pools.md, docs/pools-sql.md, docs/search.md and
 * docs/spring.md runs.
 */
@Tag("database")
class SqlPagesTest {
  private static final TestDatabase DATABASE = TestDatabase.create();

  @BeforeAll
  static void installPackAndCreatePool() throws SQLException {
    Pack.inSchema(Pack.SCHEMA).install(DATABASE.dataSource());
    try (Pools pools = Pools.over(DATABASE.dataSource())) {
      pools.create(PoolSpec.of("public-ipv4", List.of(Block.parse("45.67.80.17/32"))));
    }
  }

  private static String block(String page, int number) {
    return new Page(page).blocks("sql").get(number);
  }

  static Stream<String> tables() {
    Matcher psql =
        Pattern.compile("\\$ psql \\S+ -c '(create table tracks .*)'")
            .matcher(new Page("README.md").text());
    assertThat(psql.find()).isTrue();
    return Stream.of(psql.group(1), block("docs/spring.md", 0));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void aTableMintsIds(String table) {
    DATABASE.execute("drop table if exists public.tracks");

    DATABASE.execute(table);

    DATABASE.execute("insert into public.tracks (title) values ('one')");
    assertThat(DATABASE.number("select pg_catalog.count(id) from public.tracks")).isEqualTo(1);
  }

  @Test
  void aReferenceIsChecked() {
    DATABASE.execute("create table public.activity (ref_type text, ref_id uuid)");

    DATABASE.execute(block("docs/hibernate.md", 0));

    DATABASE.execute(
        "insert into public.activity values (null, null), ('soundcloud:users', pg_catalog.gen_random_uuid())");
  }

  @Test
  void aClaimAndItsRowAreJoined() {
    DATABASE.execute("create table public.vm (name text, address text)");

    DATABASE.execute(block("docs/pools-sql.md", 0));

    assertThat(DATABASE.rows(block("docs/pools-sql.md", 2)))
        .singleElement()
        .satisfies(row -> assertThat(row.subList(0, 2)).containsOnly("vm-43943"));
  }

  /** Roles belong to the whole server, so this one is rolled back. */
  @Test
  void aRoleIsGrantedTheFunctionsOfPools() {
    DATABASE.execute("begin; create role app; " + block("docs/pools-sql.md", 1) + "; rollback");
  }

  @Test
  void anAddressIsBoundToAClient() {
    DATABASE.execute(block("docs/pools.md", 0));

    DATABASE.execute(
        "insert into public.client_address values ('vm-1', '45.67.80.17') on conflict do nothing");
  }

  @Test
  void theQueryOfTheArticleRuns() throws SQLException {
    DATABASE.execute("create table public.ip_address (id int, client_id int)");
    DATABASE.execute("insert into public.ip_address (id) values (1)");

    try (Connection connection = DATABASE.dataSource().getConnection();
        PreparedStatement update = connection.prepareStatement(block("docs/pools.md", 1))) {
      update.setObject(1, 7, Types.INTEGER);
      try (ResultSet updated = update.executeQuery()) {
        assertThat(updated.next()).isTrue();
        assertThat(updated.getInt("client_id")).isEqualTo(7);
      }
    }
  }

  /** At both ends of the range, and beyond them. */
  @Test
  void aRangeIsThatOfTheBeginning() {
    assertThat(
            DATABASE.rows(
                """
                select id
                from (
                  values
                    ('017fe08f-ffff-ffff-ffff-ffffffffffff'::uuid),
                    ('017fe090-0000-0000-0000-000000000000'::uuid),
                    ('017fe09f-ffff-ffff-ffff-ffffffffffff'::uuid),
                    ('017fe0a0-0000-0000-0000-000000000000'::uuid)
                ) ids (id)
                where (mintmark.begins_with(id, '01FZG9') is true) <> (%s)
                """
                    .formatted(block("docs/search.md", 0))))
        .isEmpty();
  }
}
