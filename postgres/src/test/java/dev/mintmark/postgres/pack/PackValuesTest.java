package dev.mintmark.postgres.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.NanoId;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;

/** Aggregates of UUIDs, ULIDs of a time and NanoIDs in SQL, on every server. */
@Tag("database")
class PackValuesTest {
  private static final Map<TestServer, TestDatabase> INSTALLED = new EnumMap<>(TestServer.class);

  private static TestDatabase installed(TestServer server) throws SQLException {
    TestDatabase database = INSTALLED.get(server);
    if (database == null) {
      database = server.createDatabase();
      Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
      database.execute(
          """
          create table tracks (id uuid, part int);
          insert into tracks select gen_random_uuid(), n % 10 from generate_series(1, 5000) n;
          insert into tracks values (null, 0), ('00000000-0000-0000-0000-000000000000', 3),
            ('ffffffff-ffff-ffff-ffff-ffffffffffff', 3);
          """);
      INSTALLED.put(server, database);
    }
    return database;
  }

  @OnServers
  void minAndMaxAreThoseOfTheOrder(TestServer server) throws SQLException {
    TestDatabase database = installed(server);

    assertThat(
            database.number(
                """
                select count(*) from (
                  select mintmark.min(id) = (array_agg(id order by id))[1]
                    and mintmark.max(id) = (array_agg(id order by id desc) filter (where id is not null))[1]
                  from tracks group by part) one (same)
                where same
                """))
        .isEqualTo(10);
    assertThat(database.text("select mintmark.min(id) || ' ' || mintmark.max(id) from tracks"))
        .isEqualTo("00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff");
    assertThat(
            database.number(
                "select count(*) from (select mintmark.min(id) from tracks where false) one (id) where id is null"))
        .isEqualTo(1);
  }

  @OnServers
  void maxOfAnIndexedColumnReadsItsEnd(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    database.execute("create index if not exists tracks_id on tracks (id)");

    assertThat(database.rows("explain (costs off) select mintmark.max(id) from tracks").toString())
        .contains("Index Only Scan Backward");
  }

  @OnServers
  void parallelWorkersCombineTheirParts(TestServer server) throws SQLException {
    TestDatabase database = installed(server);

    database.execute(
        """
        begin;
        set local parallel_setup_cost = 0;
        set local parallel_tuple_cost = 0;
        set local min_parallel_table_scan_size = 0;
        set local enable_indexscan = off;
        set local enable_indexonlyscan = off;
        do $$
        declare
          line text;
          plan text := '';
        begin
          for line in explain (costs off) select mintmark.min(id), mintmark.max(id) from tracks where part = 3 loop
            plan := plan || line;
          end loop;
          if plan not like '%Partial Aggregate%' then
            raise exception 'not parallel: %', plan;
          end if;
          if (select (mintmark.min(id), mintmark.max(id)) from tracks where part = 3)
            <> ('00000000-0000-0000-0000-000000000000'::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
          then
            raise exception 'another least or greatest';
          end if;
        end
        $$;
        commit;
        """);
  }

  @OnServers
  void ulidOfATimeHasItAndNoOtherFixedBits(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    Set<Ulid> ids = new HashSet<>();
    for (List<String> row :
        database.rows(
            "select mintmark.ulid('2022-03-31 15:23:55.9999+00'::timestamptz) from generate_series(1, 200)")) {
      ids.add(Ulid.of(UUID.fromString(row.get(0))));
    }

    assertThat(ids)
        .hasSize(200)
        .allMatch(id -> id.time().equals(Instant.parse("2022-03-31T15:23:55.999Z")));
    long ones = 0;
    long zeros = 0;
    long highOnes = 0;
    long highZeros = 0;
    for (Ulid id : ids) {
      ones |= id.leastSignificantBits();
      zeros |= ~id.leastSignificantBits();
      highOnes |= id.mostSignificantBits() & 0xFFFF;
      highZeros |= ~id.mostSignificantBits() & 0xFFFF;
    }
    assertThat(List.of(ones, zeros)).containsOnly(-1L);
    assertThat(List.of(highOnes, highZeros)).containsOnly(0xFFFFL);
    assertThatThrownBy(() -> database.text("select mintmark.ulid('1969-12-31'::timestamptz)"))
        .hasMessageContaining("expected 1970-01-01");
    assertThat(database.number("select count(mintmark.ulid(null::timestamptz))")).isZero();
  }

  @OnServers
  void nanoIdsAreOfTheAlphabetAndTheLength(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    List<String> ids =
        database.rows("select mintmark.nanoid() from generate_series(1, 1000)").stream()
            .map(row -> row.get(0))
            .toList();

    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> NanoId.tryParse(id).isPresent());
    assertThat(String.join("", ids).chars().distinct().count()).isEqualTo(64);
    for (int length : new int[] {1, 13, 14, 15, 255}) {
      assertThat(database.text("select mintmark.nanoid(" + length + ")")).hasSize(length);
    }
    for (int length : new int[] {0, -1, 256}) {
      assertThatThrownBy(() -> database.text("select mintmark.nanoid(" + length + ")"))
          .hasMessageContaining("nanoid(" + length + "): expected 1 to 255");
    }
    assertThat(database.number("select count(mintmark.nanoid(null))")).isZero();
  }

  /** The reason for the aggregates: remove them when the oldest server has its own. */
  @OnServers
  void postgresHasNone(TestServer server) throws SQLException {
    TestDatabase database = installed(server);

    assertThatThrownBy(() -> database.text("select min(gen_random_uuid())"))
        .hasMessageContaining("min(uuid) does not exist");
  }
}
