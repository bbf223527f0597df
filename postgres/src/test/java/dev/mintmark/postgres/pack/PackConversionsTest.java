package dev.mintmark.postgres.pack;

import static dev.mintmark.postgres.pack.PackMintsTest.installed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.Ulid;
import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.RandomId;
import dev.mintmark.fixtures.RandomIds;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text, times, numbers with a prefix, and checks of columns: the same in SQL as in Java. */
@Tag("long")
class PackConversionsTest {
  /** The number of random values that are converted on each server. */
  private static final int VALUES = Integer.getInteger("mintmark.test.values", 10_000);

  /** The calls of {@link RandomId#converted}, and {@code try_} for {@link RandomId#damaged}. */
  private static final String CONVERTED =
      """
      select mintmark.ulid_text(id), mintmark.ulid_uuid(text), mintmark.try_ulid_uuid(lower(text)),
        (extract(epoch from mintmark.ulid_time(id)) * 1000)::bigint,
        mintmark.ulid_min(mintmark.ulid_time(id)), mintmark.ulid_max(mintmark.ulid_time(id)),
        mintmark.typeid_text('user', id), mintmark.typeid_uuid(typeid),
        mintmark.prefixed('PM', number, width), mintmark.unprefixed('PM', mintmark.prefixed('PM', number, width)),
        mintmark.try_ulid_uuid(damaged), mintmark.try_typeid_uuid(damaged_typeid)
      from unnest(?::uuid[], ?::text[], ?::text[], ?::bigint[], ?::int[], ?::text[], ?::text[])
        with ordinality as ids (id, text, typeid, number, width, damaged, damaged_typeid, place)
      order by place
      """;

  @OnServers
  void randomValuesAreConvertedAsInJava(TestServer server) throws SQLException {
    try (Connection connection = installed(server).dataSource().getConnection();
        PreparedStatement query = connection.prepareStatement(CONVERTED)) {
      RandomIds.compareAll(
          batch -> {
            setArray(query, 1, "uuid", batch, RandomId::uuid);
            setArray(query, 2, "text", batch, RandomId::text);
            setArray(query, 3, "text", batch, RandomId::typeId);
            setArray(query, 4, "bigint", batch, RandomId::number);
            setArray(query, 5, "int", batch, RandomId::width);
            setArray(query, 6, "text", batch, id -> id.damaged().get(0));
            setArray(query, 7, "text", batch, id -> id.damaged().get(2));

            assertThat(rows(query))
                .isEqualTo(batch.stream().map(PackConversionsTest::expected).toList());
          });
    }
    Conformance.ofPackOn(server)
        .values(
            Operation.FORMAT,
            Operation.PARSE,
            Operation.REJECT,
            Operation.TIME,
            Operation.BOUNDS,
            Operation.SEQUENCE,
            Operation.TYPEID);
  }

  private static List<@Nullable String> expected(RandomId id) {
    List<@Nullable String> expected = new ArrayList<>(id.converted());
    expected.add(id.read().get(0));
    expected.add(id.read().get(2));
    return expected;
  }

  private static void setArray(
      PreparedStatement query, int place, String type, List<RandomId> ids, Function<RandomId, ?> of)
      throws SQLException {
    query.setArray(
        place, query.getConnection().createArrayOf(type, ids.stream().map(of).toArray()));
  }

  private static List<List<@Nullable String>> rows(PreparedStatement query) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (ResultSet result = query.executeQuery()) {
      while (result.next()) {
        List<@Nullable String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  @OnServers
  void aTextWithOneCharacterExchangedIsReadAsJavaReadsIt(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    String good = "01FZG96YPZK4SANAG1ZM5T2K9Z";
    List<String> texts =
        Stream.of(0, 1, 13, 25)
            .flatMap(
                at ->
                    LongStream.rangeClosed(1, 0x180)
                        .mapToObj(c -> good.substring(0, at) + (char) c + good.substring(at + 1)))
            .toList();

    List<List<String>> rows =
        database.rows(
            "select coalesce(mintmark.try_ulid_uuid(text)::text, '') from unnest(array[%s]) text"
                .formatted(
                    texts.stream()
                        .map(PackConversionsTest::literal)
                        .collect(Collectors.joining(","))));

    assertThat(rows)
        .isEqualTo(
            texts.stream()
                .map(text -> Ulid.tryParse(text).map(Ulid::toUuid).map(UUID::toString).orElse(""))
                .map(List::of)
                .toList());
  }

  @OnServers
  void timesAreExactFromTheFirstMillisecondToTheLast(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    Random random = new Random(server.majorVersion());
    long max = Ulid.TIME_MILLIS_MAX;
    List<Long> millis =
        LongStream.concat(
                LongStream.of(0, 1, 0xFF_FFFF, 0x100_0000, 1_648_740_235_999L, max - 1, max),
                random.longs(VALUES, 0, max + 1))
            .boxed()
            .toList();

    database.execute(
        "alter database %s set timezone = 'America/New_York'".formatted(database.name()));

    List<List<String>> rows =
        database.rows(
            """
            select ms from unnest('{%s}'::bigint[]) ms
            where mintmark.ulid_time((lpad(to_hex(ms), 12, '0') || 'ffffffffffffffffffff')::uuid)
                <> timestamptz 'epoch' + ms / 3600000 * interval '1 hour' + ms %% 3600000 * interval '1 ms'
              or mintmark.ulid_min(timestamptz 'epoch' + ms / 3600000 * interval '1 hour'
                + ms %% 3600000 * interval '1 ms') <> (lpad(to_hex(ms), 12, '0') || repeat('0', 20))::uuid
              or mintmark.ulid_max(timestamptz 'epoch' + ms / 3600000 * interval '1 hour'
                + ms %% 3600000 * interval '1 ms' + interval '999 us')
                <> (lpad(to_hex(ms), 12, '0') || repeat('f', 20))::uuid
            """
                .formatted(millis.stream().map(String::valueOf).collect(Collectors.joining(","))));

    assertThat(rows).isEmpty();
    assertThat(
            database.text(
                "select mintmark.ulid_time('ffffffff-ffff-ffff-ffff-ffffffffffff') at time zone"
                    + " 'UTC'"))
        .isEqualTo("10889-08-02 05:31:50.655");
  }

  @Test
  void theBoundsOfATimeAreThoseOfJava() throws SQLException {
    TestDatabase database = installed(TestServer.NEWEST);
    Instant time = Instant.parse("2022-03-31T15:23:55.999999Z");

    assertThat(
            database.rows(
                "select mintmark.ulid_min('%1$s'), mintmark.ulid_max('%1$s')".formatted(time)))
        .isEqualTo(
            List.of(
                List.of(Ulid.min(time).toUuid().toString(), Ulid.max(time).toUuid().toString())));
  }

  @ParameterizedTest
  @CsvSource({
    "1969-12-31 23:59:59.999999+00, 1969-12-31 23:59:59.999999 AD UTC",
    "10889-08-02 05:31:50.656+00, 10889-08-02 05:31:50.656000 AD UTC",
    "infinity, infinity",
    "-infinity, -infinity"
  })
  void aTimeThatNoIdentifierHoldsIsRefused(String time, String shown) throws SQLException {
    TestDatabase database = installed(TestServer.NEWEST);

    for (String bound : List.of("ulid_min", "ulid_max")) {
      assertFails(
          database,
          "select mintmark.%s('%s')".formatted(bound, time),
          "22008",
          "time " + shown + ": expected 1970-01-01 00:00:00 to 10889-08-02 05:31:50.655999 UTC");
    }
  }

  @Test
  void aTimeRangeIsARangeOfThePrimaryKey() throws SQLException {
    TestDatabase database = installed(TestServer.NEWEST);
    database.execute(
        "create table t (id uuid primary key); insert into t select mintmark.ulids(20000); analyze"
            + " t");

    assertThat(
            database.rows(
                "explain (costs off) select * from t where id between"
                    + " mintmark.ulid_min('2026-01-01') and mintmark.ulid_max('2026-01-31')"))
        .extracting(row -> row.get(0))
        .anyMatch(
            line ->
                line.contains("Index Cond: ((id >= '019b76da-a800-0000-0000-000000000000'::uuid)"));
  }

  @OnServers
  void aCheckRefusesIdentifiersOfATimeThatIsNotSane(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    database.execute("create table t (id uuid check (mintmark.ulid_is_sane(id)))");
    database.execute(
        "create table u (id uuid check (mintmark.ulid_is_sane(id, '2020-01-01', interval '1"
            + " minute')))");

    database.execute("insert into t values (mintmark.ulid()), (mintmark.ulid_monotonic()), (null)");
    database.execute("insert into t values (mintmark.ulid_min(now() + interval '23 hours'))");
    database.execute("insert into t values (mintmark.ulid_min('2000-01-01 00:00:00+00'))");
    for (String insane :
        List.of(
            "t values ('b43a28cb-a649-426d-ad59-13b2a02894e3')",
            "t values (mintmark.ulid_min(now() + interval '25 hours'))",
            "t values (mintmark.ulid_max('1999-12-31 23:59:59.999+00'))",
            "t values ('00000000-0000-0000-0000-000000000000')",
            "u values (mintmark.ulid_min(now() + interval '2 minutes'))",
            "u values (mintmark.ulid_max('2019-12-31 00:00:00+00'))")) {
      assertFails(database, "insert into " + insane + " returning id", "23514", "violates check");
    }
    assertThat(
            database.rows(
                """
                select mintmark.ulid_is_sane(mintmark.ulid(), 'infinity'),
                  mintmark.ulid_is_sane(mintmark.ulid(), '-infinity'),
                  mintmark.ulid_is_sane(mintmark.ulid(), '11000-01-01'),
                  mintmark.ulid_is_sane(mintmark.ulid(), ahead => '-60 years'),
                  mintmark.ulid_is_sane(mintmark.ulid(), ahead => '-170000000 years'),
                  mintmark.ulid_is_sane(mintmark.ulid(), ahead => '170000000 years'),
                  mintmark.ulid_is_sane('ffffffff-ffff-ffff-ffff-ffffffffffff', ahead => '8900 years')
                """))
        .as("bounds outside 1970 to 10889 are replaced")
        .containsExactly(List.of("f", "t", "f", "f", "f", "t", "t"));
  }

  @OnServers
  void textColumnsHoldCanonicalUlidsInTheOrderOfTheirBits(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    database.execute(
        "create table t (n int generated always as identity, id mintmark.ulid_as_text primary key"
            + " default mintmark.ulid_text(mintmark.ulid_monotonic()))");
    database.execute(
        "insert into t default values; insert into t select from generate_series(1, 999)");

    assertThat(
            database.number(
                "select count(*) from (select id <= lag(id) over (order by n) as i from t) x where"
                    + " i"))
        .isZero();
    for (String refused :
        List.of(
            "01fzg96ypzk4sanag1zm5t2k9z",
            "81FZG96YPZK4SANAG1ZM5T2K9Z",
            "01FZG96YPZK4SANAG1ZM5T2K9",
            "")) {
      assertFails(
          database,
          "insert into t (id) values ('%s') returning id".formatted(refused),
          "23514",
          "ulid_as_text_check");
    }
  }

  @OnServers
  void numbersStandBehindAPrefix(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    database.execute(
        """
        create table payments (
          id bigint generated always as identity,
          ref text generated always as (mintmark.prefixed('PM', id, 6)) stored unique);
        create sequence mandates;
        create table mandate (id text primary key default mintmark.prefixed('MD', nextval('mandates'), 6));
        insert into payments default values;
        alter table payments alter id restart 999999;
        insert into payments default values;
        insert into payments default values;
        insert into mandate default values;
        """);

    assertThat(
            database.rows("select ref, mintmark.unprefixed('PM', ref) from payments order by id"))
        .isEqualTo(
            List.of(
                List.of("PM000001", "1"),
                List.of("PM999999", "999999"),
                List.of("PM1000000", "1000000")));
    assertThat(database.text("select id from mandate")).isEqualTo("MD000001");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mintmark.prefixed('PM', -1, 6)|22023|number -1: expected 0 to 9223372036854775807",
        "mintmark.prefixed('PM', 1, 19)|22023|width 19: expected 0 to 18 digits",
        "mintmark.prefixed('PM1', 1, 6)|22023|malformed prefix \"PM1\": expected at most 16 of",
        "mintmark.unprefixed('PM', 'MD000123')|22P02|malformed sequence id \"MD000123\": expected"
            + " \"PM\" and 1 to 19",
        "mintmark.unprefixed('PM', 'pm000123')|22P02|malformed sequence id",
        "mintmark.unprefixed('PM', 'PM')|22P02|malformed sequence id",
        "mintmark.unprefixed('PM', 'PM12x')|22P02|malformed sequence id",
        "mintmark.unprefixed('PM', 'PM-12')|22P02|malformed sequence id",
        "mintmark.unprefixed('PM', 'PM9223372036854775808')|22P02|malformed sequence id",
        "mintmark.unprefixed('PM', E'PM12\\n')|22P02|malformed sequence id \"PM12\\u000a\"",
        "mintmark.ulid_uuid('01ARZ3NDEKTSV4RRFFQ69G5FAU')|22P02|malformed ULID"
            + " \"01ARZ3NDEKTSV4RRFFQ69G5FAU\": character 25, 'U', is not Crockford base 32",
        "mintmark.ulid_uuid('')|22P02|malformed ULID \"\": it has 0 characters: expected 26",
        "mintmark.ulid_uuid('80000000000000000000000000')|22P02|character 0, '8', is above 7: it"
            + " exceeds 128 bits"
      })
  void whatCannotBeReadOrShownIsAnErrorThatSaysWhy(String call, String state, String message)
      throws SQLException {
    assertFails(installed(TestServer.NEWEST), "select " + call, state, message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATIN1", "SQL_ASCII", "EUC_JP", "UTF8"})
  void anyEncodingOfTheDatabaseWillDo(String encoding) throws SQLException {
    TestDatabase database =
        TestServer.NEWEST.createDatabase(
            "encoding '%s' template template0 lc_collate 'C' lc_ctype 'C'".formatted(encoding));
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    // A character of the encoding. For SQL_ASCII, which knows only bytes, a byte that is not UTF-8.
    String letter =
        switch (encoding) {
          case "LATIN1" -> "convert_from('\\xe9', 'LATIN1')";
          case "EUC_JP" -> "convert_from('\\xa4a2', 'EUC_JP')";
          case "UTF8" -> "convert_from('\\xf09f9880', 'UTF8')";
          default -> "convert_from('\\xe9', 'SQL_ASCII')";
        };

    assertThat(
            database.text(
                "select mintmark.ulid_text(mintmark.ulid_uuid('01fzg96ypzk4sanag1zm5t2k9z'))"))
        .isEqualTo("01FZG96YPZK4SANAG1ZM5T2K9Z");
    assertThat(
            database.number(
                "select count(mintmark.try_ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K9' || %1$s))"
                        .formatted(letter)
                    + " + count(mintmark.try_ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K' || %1$s))"
                        .formatted(letter)))
        .isZero();
    database.execute(
        """
        do $$ begin
          perform mintmark.ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K9' || %s);
          raise 'it was read';
        exception when invalid_text_representation then null;
        end $$
        """
            .formatted(letter));
  }

  @Test
  void nullGivesNull() throws SQLException {
    TestDatabase database = installed(TestServer.NEWEST);

    assertThat(
            database
                .rows(
                    """
                    select mintmark.ulid_text(null), mintmark.ulid_uuid(null), mintmark.try_ulid_uuid(null),
                      mintmark.ulid_time(null), mintmark.ulid_min(null), mintmark.ulid_max(null),
                      mintmark.prefixed(null, 1, 1), mintmark.prefixed('A', null, 1), mintmark.prefixed('A', 1, null),
                      mintmark.unprefixed(null, 'A1'), mintmark.unprefixed('A', null), mintmark.ulid_is_sane(null)
                    """)
                .get(0))
        .containsOnly("null");
    assertThat(database.number("select count(*) from mintmark.ulids(null)")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mintmark.ulid()",
        "mintmark.uuidv7()",
        "mintmark.ulid_monotonic()",
        "(select max(id::text) from mintmark.ulids(5000) id)",
        "mintmark.ulid_text('017fe093-7adf-9932-aaaa-01fd0ba14d3f')",
        "mintmark.ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K9Z')",
        "mintmark.ulid_time('017fe093-7adf-9932-aaaa-01fd0ba14d3f')",
        "mintmark.ulid_min(now())",
        "mintmark.ulid_is_sane(mintmark.ulid())",
        "mintmark.prefixed('PM', 123, 6)",
        "mintmark.unprefixed('PM', 'PM000123')"
      })
  void nobodysOperatorsGetIntoTheFunctions(String call) throws SQLException {
    TestDatabase database = TestServer.oldest().createDatabase();
    // Another role could create these in public: for every pair of types without an operator in
    // pg_catalog, one that an expression without exact types would resolve to.
    database.execute(
        """
        do $$
        declare
          types text[] := '{int,bigint,float8,numeric,text,bytea,uuid,"char",name,interval,timestamp,timestamptz}';
          op text;
          l text;
          r text;
        begin
          foreach l in array types loop
            foreach r in array types loop
              execute format('create function public.trap(%1$s, %2$s) returns %1$s language plpgsql as
                ''begin raise exception $a$trapped$a$; end''', l, r);
              foreach op in array '{+,-,*,/,<<,>>,|,&,<,<=,>,>=,=,<>,||,~}'::text[] loop
                if not exists (
                  select from pg_operator where oprname = op
                    and oprleft = l::regtype and oprright = r::regtype and oprnamespace = 'pg_catalog'::regnamespace)
                then
                  execute format('create operator public.%s (function = public.trap, leftarg = %s, rightarg = %s)', op, l, r);
                end if;
              end loop;
            end loop;
          end loop;
        end $$
        """);

    database.execute(Pack.inSchema(Pack.SCHEMA).sql());

    assertThat(database.text("select " + call)).isNotEmpty();
  }

  private static void assertFails(TestDatabase database, String sql, String state, String message) {
    assertThatExceptionOfType(IllegalStateException.class)
        .as(sql)
        .isThrownBy(() -> database.rows(sql))
        .havingCause()
        .withMessageContaining(message)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).as(sql).isEqualTo(state));
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
