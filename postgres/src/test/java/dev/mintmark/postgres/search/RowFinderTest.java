package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.Mask;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.PageJava;
import dev.mintmark.fixtures.Standby;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestPgBouncer;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.search.RowAnswer.Found;
import dev.mintmark.postgres.search.RowAnswer.None;
import dev.mintmark.postgres.search.RowAnswer.NotLookedAt;
import dev.mintmark.postgres.search.RowAnswer.Reason;
import dev.mintmark.postgres.search.RowAnswer.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class RowFinderTest {
  private static final String UUID_TEXT = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
  private static final String ULID_TEXT = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  private static final CollectionSpec MEATS =
      CollectionSpec.builder("meats", Kind.UUIDV7).table("meats").code("m").build();
  private static final CollectionSpec PAYMENTS =
      CollectionSpec.builder("payments", Kind.SEQUENCE)
          .prefix("PM")
          .width(6)
          .table("shop.payments")
          .column("number")
          .aliases(List.of("debits"))
          .face(new CollectionSpec.Face("pay", "payments"))
          .build();
  private static final CollectionSpec NOTES =
      CollectionSpec.builder("notes", Kind.ULID).storage(Kind.Storage.TEXT).table("notes").build();
  private static final CollectionSpec TRACKS =
      CollectionSpec.builder("tracks", Kind.SNOWFLAKE).table("tracks").build();
  private static final CollectionSpec PLANS =
      CollectionSpec.builder("plans", Kind.TEXT).build(); // has no table

  private static final Keyring KEYRING =
      Keyring.of('a', "0123456789abcdef0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII));
  private static final RowFinder FINDER =
      RowFinder.of(
              new Catalog(
                  new NamespaceSpec(
                      "bobsburgers", Optional.of("b"), List.of(MEATS, PAYMENTS, NOTES, PLANS)),
                  List.of(new NamespaceSpec("soundcloud", Optional.empty(), List.of(TRACKS))),
                  List.of()))
          .withFaces(KEYRING)
          .withTimeouts(Duration.ofMinutes(1), Duration.ofMinutes(10));

  /** Waits for a lock for 3 s, which a slow machine does not take for anything else. */
  private static final RowFinder WAITING =
      FINDER.withTimeouts(Duration.ofSeconds(6), Duration.ofMinutes(10));

  private static final String TABLES =
      """
      create schema shop;
      create table meats (id uuid primary key, cut text, made timestamptz default '2022-02-24 12:00Z', photo bytea);
      create table shop.payments (number integer primary key, amount numeric(9, 2), secret text);
      create table notes (id varchar(26) primary key, note text);
      create table tracks (id bigint primary key, title text);
      insert into meats values ('017fe093-7adf-9932-aaaa-01fd0ba14d3f', 'ribs', default, null);
      insert into shop.payments values (123, 12.50, 'hunter2');
      insert into notes values ('01FZG96YPZK4SANAG1ZM5T2K9Z', 'rare');
      insert into tracks values (175928847299117063, 'Sunset');
      """;

  private static TestDatabase shop(TestServer server) {
    TestDatabase database = server.createDatabase();
    database.execute(TABLES);
    return database;
  }

  private static TestDatabase shop() {
    return shop(TestServer.NEWEST);
  }

  private static List<RowAnswer> find(RowFinder finder, DataSource dataSource, String id)
      throws SQLException {
    Map<String, RowColumns> asked = new LinkedHashMap<>();
    finder.collections().keySet().forEach(name -> asked.put(name, new RowColumns.Key()));
    return finder.find(dataSource, id, asked);
  }

  private static List<String> foundIn(TestDatabase database, String id) throws SQLException {
    return find(FINDER, database.dataSource(), id).stream()
        .filter(Found.class::isInstance)
        .map(RowAnswer::collection)
        .toList();
  }

  private static RowAnswer ask(
      RowFinder finder, DataSource dataSource, String id, String collection, String... columns)
      throws SQLException {
    return finder
        .find(dataSource, id, Map.of(collection, new RowColumns.Named(List.of(columns))))
        .get(0);
  }

  private static Reason reason(RowAnswer answer) {
    assertThat(answer).isInstanceOf(NotLookedAt.class);
    return ((NotLookedAt) answer).reason();
  }

  @OnServers
  void everyTextOfAnIdentifierFindsItsRow(TestServer server) throws SQLException {
    TestDatabase database = shop(server);
    String face = Mask.ofNumbers(KEYRING, PAYMENTS.face().orElseThrow()).show(123L);

    for (String uuid :
        List.of(
            UUID_TEXT,
            ULID_TEXT,
            " " + ULID_TEXT.toLowerCase(Locale.ROOT) + "\n",
            "{" + UUID_TEXT + "}",
            "urn:uuid:" + UUID_TEXT,
            "uuid '" + UUID_TEXT + "'",
            "0x017fe0937adf9932aaaa01fd0ba14d3f",
            "1993204641137431665444657879740140863")) {
      assertThat(foundIn(database, uuid)).as(uuid).containsExactly("meats", "notes");
    }
    assertThat(foundIn(database, "bobsburgers:meats:" + ULID_TEXT)).containsExactly("meats");
    assertThat(foundIn(database, "\"b.m.AX_gk3rfmTKqqgH9C6FNPw\"")).containsExactly("meats");
    for (String number :
        List.of(
            "PM000123", "pm123", "123", "bobsburgers:debits:PM000123", face, "(" + face + ")")) {
      assertThat(foundIn(database, number)).as(number).containsExactly("payments");
    }
    assertThat(foundIn(database, "175928847299117063")).containsExactly("soundcloud:tracks");
    assertThat(foundIn(database, "soundcloud:tracks:175928847299117063"))
        .containsExactly("soundcloud:tracks");
    assertThat(find(FINDER, database.dataSource(), "PM000124")).hasOnlyElementsOfType(None.class);
  }

  /** A number past the range of an integer column is no error. */
  @ParameterizedTest
  @ValueSource(strings = {"PM99999999999", "9223372036854775807", "nonsense", "b.m.x", "🥩"})
  void whatNoTableHasIsNotFound(String id) throws SQLException {
    assertThat(find(FINDER, shop().dataSource(), id)).hasSize(4).hasOnlyElementsOfType(None.class);
  }

  @Test
  void theAskedColumnsAreReadAndNoOther() throws SQLException {
    TestDatabase database = shop();
    DataSource dataSource = database.dataSource();

    assertThat(ask(FINDER, dataSource, ULID_TEXT, "meats", "made", "photo", "cut"))
        .isEqualTo(
            new Found(
                "meats",
                "public.meats",
                List.of("made", "photo", "cut"),
                List.of(
                    List.of(
                        new Value(Optional.of("2022-02-24 12:00:00+00"), false),
                        new Value(Optional.empty(), false),
                        new Value(Optional.of("ribs"), false))),
                false));
    assertThat(
            ((Found)
                    FINDER
                        .find(dataSource, "PM123", Map.of("payments", new RowColumns.All()))
                        .get(0))
                .columns())
        .containsExactly("number", "amount", "secret");
    assertThat(
            ((Found)
                    FINDER
                        .find(dataSource, "PM123", Map.of("payments", new RowColumns.Key()))
                        .get(0))
                .columns())
        .containsExactly("number");
    assertThat(ask(FINDER, dataSource, "PM123", "payments", "amount", "tax"))
        .isEqualTo(
            new NotLookedAt("payments", Reason.NO_COLUMN, "the table has no column \"tax\""));
  }

  @Test
  void theKeyIsReadInItsOrderAfterTheIdentifier() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        drop table meats;
        create table meats (shop int, cut text, id uuid unique, shelf int, primary key (shelf, shop));
        insert into meats values (1, 'ribs', '017fe093-7adf-9932-aaaa-01fd0ba14d3f', 2);
        """);

    Found found =
        (Found)
            FINDER
                .find(database.dataSource(), ULID_TEXT, Map.of("meats", new RowColumns.Key()))
                .get(0);

    assertThat(found.columns()).containsExactly("id", "shelf", "shop");
    assertThat(found.rows().get(0))
        .extracting(value -> value.text().orElseThrow())
        .containsExactly(UUID_TEXT, "2", "1");
  }

  @Test
  void longValuesAndManyRowsAreCut() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        alter table meats drop constraint meats_pkey;
        create index on meats using hash (id);
        insert into meats select '017fe093-7adf-9932-aaaa-01fd0ba14d3f', repeat('🥩', 998 + n) from generate_series(1, 10) n;
        """);

    Found found = (Found) ask(FINDER, database.dataSource(), ULID_TEXT, "meats", "cut");

    assertThat(found.rows()).hasSize(RowFinder.ROWS_MAX);
    assertThat(found.hasMore()).isTrue();
    assertThat(found.rows())
        .allSatisfy(
            row -> {
              String text = row.get(0).text().orElseThrow();
              int length = text.codePointCount(0, text.length());
              assertThat(length).isLessThanOrEqualTo(1_000);
              assertThat(row.get(0).isCut() && length < 1_000).isFalse();
            })
        .anyMatch(row -> row.get(0).isCut());
  }

  @Test
  void anApplicationRoleThatOwnsNothingFindsWhatItMayRead() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        create role find_reader login;
        grant usage on schema shop to find_reader;
        grant select (id, cut) on meats to find_reader;
        grant select on tracks to find_reader;
        """);
    try {
      DataSource reader = database.dataSource("find_reader");

      assertThat(ask(FINDER, reader, ULID_TEXT, "meats", "id", "cut")).isInstanceOf(Found.class);
      assertThat(ask(FINDER, reader, "PM123", "payments", "amount"))
          .isEqualTo(
              new NotLookedAt(
                  "payments",
                  Reason.NO_PRIVILEGE,
                  "this role has no SELECT on the column \"number\", \"amount\""));
      assertThat(ask(FINDER, reader, ULID_TEXT, "meats", "id", "photo"))
          .isEqualTo(
              new NotLookedAt(
                  "meats", Reason.NO_PRIVILEGE, "this role has no SELECT on the column \"photo\""));
      assertThat(find(FINDER, reader, "175928847299117063")).anyMatch(Found.class::isInstance);

      database.execute("revoke usage on schema shop from find_reader");
      assertThat(ask(FINDER, reader, "PM123", "payments", "amount"))
          .isEqualTo(
              new NotLookedAt(
                  "payments",
                  Reason.NO_PRIVILEGE,
                  "this role has no USAGE on the schema of the table"));
    } finally {
      database.execute("drop owned by find_reader; drop role find_reader");
    }
  }

  @Test
  void rowsThatRowSecurityMayHideAreNotDenied() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        create role find_tenant login;
        grant select on meats to find_tenant;
        alter table meats enable row level security;
        create policy mine on meats using (cut = 'ribs');
        insert into meats values ('00000000-0000-7000-8000-000000000001', 'chops');
        """);
    try {
      DataSource tenant = database.dataSource("find_tenant");

      assertThat(ask(FINDER, tenant, ULID_TEXT, "meats", "cut")).isInstanceOf(Found.class);
      assertThat(
              reason(ask(FINDER, tenant, "00000000-0000-7000-8000-000000000001", "meats", "cut")))
          .isEqualTo(Reason.ROW_SECURITY);
      assertThat(
              ask(
                  FINDER,
                  database.dataSource(),
                  "00000000-0000-7000-8000-000000000002",
                  "meats",
                  "cut"))
          .isEqualTo(new None("meats"));
    } finally {
      database.execute("drop owned by find_tenant; drop role find_tenant");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "create index on meats (cut, id)",
        "create index on meats (id) where cut is not null",
        "create index on meats ((id::text))",
        "create index on meats using brin (id)",
        "create unique index meats_id on meats (id); update pg_index set indisvalid = false where indexrelid = 'meats_id'::regclass"
      })
  void aTableWithoutAnIndexOfTheColumnIsReportedAndNotScanned(String index) throws SQLException {
    TestDatabase database = shop();
    database.execute("alter table meats drop constraint meats_pkey;" + index);
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table meats in access exclusive mode"); // a scan would wait

      assertThat(ask(FINDER, database.dataSource(), ULID_TEXT, "meats", "cut"))
          .isEqualTo(
              new NotLookedAt(
                  "meats",
                  Reason.NO_INDEX,
                  "no valid index without a condition begins with the column \"id\": create one"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create index on meats (id, cut)",
        "create index on meats (id) include (cut)",
        "create index on meats using hash (id)"
      })
  void anIndexThatBeginsWithTheColumnIsUsed(String index) throws SQLException {
    TestDatabase database = shop();
    database.execute("alter table meats drop constraint meats_pkey;" + index);

    assertThat(ask(FINDER, database.dataSource(), ULID_TEXT, "meats", "cut"))
        .isInstanceOf(Found.class);
    assertThat(plan(database, MEATS)).contains("Index Cond").doesNotContain("Seq Scan", "Filter");
  }

  @Test
  void anIndexOfAnotherCollationServesNoText() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        "alter table notes drop constraint notes_pkey; create index on notes (id collate \"C\")");
    assertThat(reason(ask(FINDER, database.dataSource(), ULID_TEXT, "notes", "note")))
        .isEqualTo(Reason.NO_INDEX);

    database.execute("create index on notes (id text_pattern_ops)");
    assertThat(ask(FINDER, database.dataSource(), ULID_TEXT, "notes", "note"))
        .isInstanceOf(Found.class);
    assertThat(plan(database, NOTES)).contains("Index Cond").doesNotContain("Seq Scan", "Filter");
  }

  /** The plan of the query that the finder sends, with its settings. */
  private static String plan(TestDatabase database, CollectionSpec collection) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      RowTable table =
          RowTable.read(connection, collection, List.of("public"), new RowColumns.Key())
              .orElseThrow();
      assertThat(table.obstacle(collection)).isEmpty();
      try (Statement settings = connection.createStatement();
          PreparedStatement explain =
              connection.prepareStatement(
                  "explain (costs off) " + table.query(collection, 2, 10, 10))) {
        settings.execute("set local enable_seqscan = off");
        explain.setString(1, UUID_TEXT);
        explain.setString(2, "00000000-0000-7000-8000-000000000001");
        StringBuilder plan = new StringBuilder();
        try (ResultSet line = explain.executeQuery()) {
          while (line.next()) {
            plan.append(line.getString(1)).append('\n');
          }
        }
        return plan.toString();
      }
    }
  }

  @OnServers
  void partitionsAndChildTablesNeedAnIndexEach(TestServer server) throws SQLException {
    TestDatabase database = shop(server);
    database.execute(
        """
        drop table meats;
        create table meats (cut text, id uuid, primary key (id, cut)) partition by list (cut);
        create table meats_1 partition of meats for values in ('ribs');
        create table meats_2 (id uuid, cut text not null, primary key (id, cut));
        alter table meats attach partition meats_2 for values in ('chops');
        insert into meats values ('ribs', '017fe093-7adf-9932-aaaa-01fd0ba14d3f'), ('chops', '00000000-0000-7000-8000-000000000001');
        create table more_tracks () inherits (tracks);
        insert into more_tracks values (7, 'Dawn');
        """);
    DataSource dataSource = database.dataSource();

    assertThat(ask(FINDER, dataSource, ULID_TEXT, "meats", "cut")).isInstanceOf(Found.class);
    assertThat(ask(FINDER, dataSource, "00000000-0000-7000-8000-000000000001", "meats", "cut"))
        .isInstanceOf(Found.class);
    assertThat(reason(ask(FINDER, dataSource, "7", "soundcloud:tracks", "title")))
        .isEqualTo(Reason.NO_INDEX);
    database.execute("create index on more_tracks (id)");
    assertThat(ask(FINDER, dataSource, "7", "soundcloud:tracks", "title"))
        .isInstanceOf(Found.class);
  }

  @Test
  void whatIsNoTableOrOfAnotherTypeIsReported() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        alter table meats rename to old_meats;
        create view meats as select * from old_meats;
        drop table tracks;
        alter table notes alter id type uuid using '017fe093-7adf-9932-aaaa-01fd0ba14d3f';
        alter table shop.payments rename number to id;
        """);
    DataSource dataSource = database.dataSource();

    assertThat(reason(ask(FINDER, dataSource, ULID_TEXT, "meats", "cut")))
        .isEqualTo(Reason.NOT_A_TABLE);
    assertThat(reason(ask(FINDER, dataSource, "7", "soundcloud:tracks", "title")))
        .isEqualTo(Reason.NO_TABLE);
    assertThat(ask(FINDER, dataSource, ULID_TEXT, "notes", "note"))
        .isEqualTo(
            new NotLookedAt(
                "notes",
                Reason.OTHER_TYPE,
                "the column \"id\" is of type uuid: the catalog declares text"));
    assertThat(ask(FINDER, dataSource, "PM123", "payments", "amount"))
        .isEqualTo(
            new NotLookedAt("payments", Reason.NO_COLUMN, "the table has no column \"number\""));
  }

  @Test
  void domainsAndFixedTextsAreFoundByTheirIndex() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        create domain id16 as uuid;
        create domain meat_id as id16 not null;
        alter table meats alter id type meat_id;
        alter table notes alter id type char(26);
        """);

    assertThat(foundIn(database, ULID_TEXT)).containsExactly("meats", "notes");
    assertThat(plan(database, MEATS)).contains("Index Cond").doesNotContain("Seq Scan", "Filter");
    assertThat(plan(database, NOTES)).contains("Index Cond").doesNotContain("Seq Scan", "Filter");
  }

  @Test
  void aLockedTableIsReportedAndTheOthersAnswer() throws SQLException {
    TestDatabase database = shop();
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table meats in access exclusive mode");

      List<RowAnswer> answers = find(WAITING, database.dataSource(), ULID_TEXT);

      assertThat(answers.get(0))
          .isEqualTo(
              new NotLookedAt(
                  "meats", Reason.LOCKED, "another session has locked the whole table"));
      assertThat(answers.get(2)).isInstanceOf(Found.class);
    }
  }

  @Test
  void aSlowTableIsReportedAndTheOthersAnswer() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        create role find_slow login;
        grant select on meats, notes to find_slow;
        alter table meats enable row level security;
        create policy slow on meats using (pg_sleep(3600)::text = '');
        """);
    try {
      List<RowAnswer> answers = find(WAITING, database.dataSource("find_slow"), ULID_TEXT);

      assertThat(answers.get(0))
          .isEqualTo(
              new NotLookedAt("meats", Reason.TIMED_OUT, "it did not answer within 6000 ms"));
      assertThat(answers.get(2)).isInstanceOf(Found.class);
    } finally {
      database.execute("drop owned by find_slow; drop role find_slow");
    }
  }

  @Test
  void noTableIsAskedAfterTheTotalTime() throws SQLException {
    TestDatabase database = shop();
    RowFinder hasty = FINDER.withTimeouts(Duration.ofMillis(400), Duration.ofMillis(1));
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table meats in access exclusive mode");

      List<RowAnswer> answers = find(hasty, database.dataSource(), ULID_TEXT);

      assertThat(reason(answers.get(2))).isEqualTo(Reason.OUT_OF_TIME);
    }
  }

  @OnServers
  void objectsThatOthersHavePlantedAreNotUsed(TestServer server) throws SQLException {
    TestDatabase database = shop(server);
    database.execute(
        """
        create schema evil;
        do $$
        declare
          copy record;
        begin
          for copy in
            select oprname, oprleft::regtype as a, oprright::regtype as b, oprresult::regtype as result, oid
            from pg_operator
            where oprnamespace = 'pg_catalog'::regnamespace and oprkind = 'b' and oprname in ('=', '*', '<', '||')
              and oprleft::regtype::text in ('uuid', 'integer', 'bigint', 'text', 'name', 'oid', 'numeric', 'interval', '"char"', 'smallint')
              and oprright::regtype::text in ('uuid', 'integer', 'bigint', 'text', 'name', 'oid', 'numeric', 'interval', '"char"', 'smallint')
          loop
            execute format('create function evil.o%s(%s, %s) returns %s language plpgsql as %L',
              copy.oid, copy.a, copy.b, copy.result, 'begin raise exception ''planted''; end');
            execute format('create operator evil.%s (leftarg = %s, rightarg = %s, function = evil.o%s)',
              copy.oprname, copy.a, copy.b, copy.oid);
          end loop;
          for copy in
            select proname, pg_get_function_identity_arguments(oid) as arguments, prorettype::regtype as result
            from pg_proc
            where pronamespace = 'pg_catalog'::regnamespace and prokind = 'f' and not proretset and provariadic = 0
              and proname in ('set_config', 'current_setting', 'current_schemas', 'left', 'row_security_active')
          loop
            execute format('create function evil.%I(%s) returns %s language plpgsql as %L',
              copy.proname, copy.arguments, copy.result, 'begin raise exception ''planted''; end');
          end loop;
        end $$;
        create function evil.format(text, text) returns text language plpgsql as 'begin raise exception ''planted''; end';
        create function evil.format(text, uuid) returns text language plpgsql as 'begin raise exception ''planted''; end';
        create domain evil.uuid as text;
        create type mood as enum ('rare', 'done');
        create function evil.mood_text(mood) returns text language plpgsql as 'begin raise exception ''planted''; end';
        create cast (mood as text) with function evil.mood_text(mood);
        alter table meats add mood mood default 'rare';
        do $$ begin execute format('alter database %I set search_path = evil, public, pg_catalog', current_database()); end $$
        """);

    assertThat(foundIn(database, ULID_TEXT)).containsExactly("meats", "notes");
    assertThat(foundIn(database, "PM123")).containsExactly("payments");
    assertThat(
            ((Found) ask(FINDER, database.dataSource(), ULID_TEXT, "meats", "mood")).rows().get(0))
        .containsExactly(new Value(Optional.of("rare"), false));
  }

  /** A name without a schema is looked for on the search path, in its order. */
  @Test
  void theSearchPathSelectsTheTable() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        create schema other;
        create table other.meats (id uuid primary key, cut text);
        insert into other.meats values ('00000000-0000-7000-8000-000000000001', 'chops');
        do $$ begin execute format('alter database %I set search_path = other, public', current_database()); end $$
        """);

    assertThat(ask(FINDER, database.dataSource(), ULID_TEXT, "meats", "cut"))
        .isEqualTo(new None("meats"));
    Found found =
        (Found)
            ask(
                FINDER,
                database.dataSource(),
                "00000000-0000-7000-8000-000000000001",
                "meats",
                "cut");
    assertThat(found.table()).isEqualTo("other.meats");
  }

  @Test
  void aForgedFaceAndAMissingRowAnswerAlike() throws SQLException {
    TestDatabase database = shop();
    Mask<Long> mask = Mask.ofNumbers(KEYRING, PAYMENTS.face().orElseThrow());
    String missing = mask.show(999L);
    String forged = forged(mask, missing);

    assertThat(find(FINDER, database.dataSource(), forged))
        .isEqualTo(find(FINDER, database.dataSource(), missing))
        .hasOnlyElementsOfType(None.class);
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table shop.payments in access exclusive mode");
      assertThat(find(WAITING, database.dataSource(), forged))
          .isEqualTo(find(WAITING, database.dataSource(), missing))
          .anyMatch(NotLookedAt.class::isInstance);
    }
    database.execute("alter table shop.payments drop constraint payments_pkey");
    assertThat(find(FINDER, database.dataSource(), forged))
        .isEqualTo(find(FINDER, database.dataSource(), missing))
        .anyMatch(NotLookedAt.class::isInstance);
  }

  /** Another face of the same form, which the mask does not open. */
  private static String forged(Mask<Long> mask, String face) {
    for (char last : "0123456789".toCharArray()) {
      String changed = face.substring(0, face.length() - 1) + last;
      if (mask.tryOpen(changed).isEmpty()) {
        return changed;
      }
    }
    throw new AssertionError("each of the faces opens: " + face);
  }

  @Test
  void withoutASecretAFaceIsNotLookedAt() throws SQLException {
    TestDatabase database = shop();
    String face = Mask.ofNumbers(KEYRING, PAYMENTS.face().orElseThrow()).show(123L);
    RowFinder plain = RowFinder.of(new Catalog("bobsburgers", List.of(PAYMENTS), List.of()));

    assertThat(reason(find(plain, database.dataSource(), face).get(0))).isEqualTo(Reason.NO_SECRET);
    assertThat(find(plain, database.dataSource(), "PM000123").get(0)).isInstanceOf(Found.class);
    assertThat(find(plain, database.dataSource(), "PM000124").get(0)).isInstanceOf(None.class);
  }

  /** Settings and the transaction end with the search. */
  @Test
  void theConnectionIsAsItWas() throws SQLException {
    try (HikariDataSource pool = shop().connectionPool(1)) {
      assertThat(find(FINDER, pool, ULID_TEXT)).anyMatch(Found.class::isInstance);

      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "select concat_ws(' ', current_setting('search_path'),"
                      + " current_setting('statement_timeout'), current_setting('enable_seqscan'),"
                      + " current_setting('transaction_read_only'))")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("\"$user\", public 0 on off");
      }
    }
  }

  @Test
  void itWorksOnAStandby() throws Exception {
    try (Standby servers = Standby.start()) {
      try (Connection primary = servers.connectToPrimary();
          Statement statement = primary.createStatement()) {
        statement.execute(TABLES);
      }
      servers.catchUp();

      assertThat(find(FINDER, servers.standby(), ULID_TEXT)).anyMatch(Found.class::isInstance);
    }
  }

  @Test
  void itWorksBehindAPoolerInTransactionMode() throws SQLException {
    try (TestPgBouncer pooler = TestPgBouncer.before(shop())) {
      for (int i = 0; i < 10; i++) {
        assertThat(find(FINDER, pooler.dataSource(), ULID_TEXT)).anyMatch(Found.class::isInstance);
      }
    }
  }

  @Test
  void nothingIsWritten() throws SQLException {
    TestDatabase database = shop();
    database.execute(
        """
        create role find_writer login;
        grant select, insert on meats to find_writer;
        create function audit() returns boolean language plpgsql as
          'begin insert into public.meats values (gen_random_uuid()); return true; end';
        alter table meats enable row level security;
        create policy audited on meats using (audit());
        """);
    try {
      NotLookedAt answer =
          (NotLookedAt) ask(FINDER, database.dataSource("find_writer"), ULID_TEXT, "meats", "cut");

      assertThat(answer.reason()).isEqualTo(Reason.FAILED);
      assertThat(answer.detail()).contains("read-only transaction", "25006");
    } finally {
      database.execute("drop owned by find_writer; drop role find_writer");
    }
  }

  @Test
  void thePageCompiles() throws IOException {
    List<String> blocks = PageJava.blocks(Path.of("../docs/find.md"));
    assertThat(blocks).hasSize(1);

    assertThat(
            PageJava.errors(
                "void find() throws Exception {\n" + blocks.get(0) + "}\n",
                List.of(
                    "dev.mintmark.*",
                    "dev.mintmark.postgres.search.*",
                    "java.util.*",
                    "javax.sql.DataSource"),
                "Catalog catalog; Keyring keyring; DataSource dataSource;"))
        .isEmpty();
  }

  @Test
  void badRequestsAreRejected() {
    DataSource none = TestServer.NEWEST.createDatabase().dataSource();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> find(FINDER, none, "  "))
        .withMessage("id has 0 characters: expected 1 to 1024");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> find(FINDER, none, "1".repeat(1025)))
        .withMessage("id has 1025 characters: expected 1 to 1024");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ask(FINDER, none, "1", "plans", "id"))
        .withMessage("the catalog has no collection \"plans\" with a table");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FINDER.withTimeouts(Duration.ZERO, Duration.ofSeconds(1)))
        .withMessage("timeout is PT0S: expected 1 ms to PT1H");
    assertThatThrownBy(() -> new RowColumns.Named(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
