package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Keys that are smaller integers become bigint. */
@Tag("slow")
class WideningTest {
  private static final long PAST_INTEGER = 1L << 31;

  private static Migrated forum(TestServer server) {
    TestDatabase database = server.createDatabase();
    Migrated.run(database, "forum.sql");
    return new Migrated(
        database,
        CollectionSpec.builder("posts", Kind.SEQUENCE).table("posts").build(),
        CollectionSpec.builder("members", Kind.SEQUENCE)
            .table("members")
            .column("member_id")
            .build());
  }

  @OnServers
  void becomesBigintWithAllThatRefersToIt(TestServer server) throws SQLException {
    Migrated forum = forum(server);
    String rows =
        SchemaText.rows(forum.database, "(select id, member_id, reply_to, body from posts)");

    forum.apply();
    assertThat(SchemaText.rows(forum.database, "(select id, member_id, reply_to, body from posts)"))
        .isEqualTo(rows);
    forum.contract();

    assertThat(forum.plan())
        .isEqualTo(new MigrationPlan(List.of(), List.of(), List.of(), List.of()));
    assertThat(SchemaText.rows(forum.database, "(select id, member_id, reply_to, body from posts)"))
        .isEqualTo(rows);
    assertThat(SchemaText.of(forum.database))
        .contains(
            "2 column votes 002 post_id bigint true  ",
            "2 column thread 001 id bigint false  ",
            "7 sequence posts_id_seq bigint 1 1 1 9223372036854775807 false",
            "7 sequence members_member_id_seq bigint 100 1 1 9223372036854775807 false")
        .anyMatch(
            line ->
                line.startsWith(
                    "2 column posts 003 id bigint true   nextval('posts_id_seq'::regclass) public.posts_id_seq"))
        .anyMatch(line -> line.startsWith("2 column members 002 member_id bigint true a"))
        .noneMatch(
            line -> line.contains("__new") || line.contains("__old") || line.contains("sync"))
        .noneMatch(line -> line.contains("NOT VALID"));
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void rollbackLeavesNothing(TestServer server) throws SQLException {
    Migrated forum = forum(server);
    List<String> before = SchemaText.of(forum.database);
    String rows = SchemaText.rows(forum.database, "posts");

    forum.apply();
    forum.rollback();

    assertThat(SchemaText.of(forum.database))
        .filteredOn(line -> !line.contains("mintmark"))
        .isEqualTo(before);
    assertThat(SchemaText.rows(forum.database, "posts")).isEqualTo(rows);
    assertThat(
            forum.database.number(
                "insert into posts (member_id, body) values (100, 'next') returning id::bigint"))
        .isEqualTo(51);
  }

  @Test
  void whatIsSetOfColumnsIndexesAndSequencesStays() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table t (id integer generated always as identity (maxvalue 5000) primary key);
        alter table t alter column id set statistics 300, alter column id set (n_distinct = -0.5), cluster on t_pkey""");
    String settings =
        """
        select a.attstattarget, a.attoptions::text, i.indisclustered, s.seqmax
        from pg_attribute a
        join pg_index i on i.indrelid = a.attrelid and i.indkey::text = a.attnum::text
        join pg_sequence s on s.seqrelid = 't_id_seq'::regclass
        where a.attrelid = 't'::regclass
          and a.attname = 'id'""";
    List<List<String>> before = database.rows(settings);
    Migrated things =
        new Migrated(database, CollectionSpec.builder("things", Kind.SEQUENCE).table("t").build());

    things.apply();
    assertThat(database.rows(settings)).isEqualTo(before);
    things.rollback();
    assertThat(database.rows(settings)).isEqualTo(before);
    things.apply();
    things.contract();

    assertThat(database.rows(settings)).isEqualTo(before);
  }

  @Test
  void defaultPrivilegesDoNotApplyToANewSequence() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        do $$ begin create role sequence_reader; exception when duplicate_object then end $$;
        do $$ begin create role sequence_user; exception when duplicate_object then end $$;
        create table t (id integer generated always as identity primary key);
        grant usage on sequence t_id_seq to sequence_user;
        alter default privileges grant select on sequences to sequence_reader""");
    String privileges =
        "select g.grantee::pg_catalog.regrole, g.privilege_type from pg_catalog.pg_class c, pg_catalog.aclexplode(c.relacl) g"
            + " where c.oid = 'public.t_id_seq'::pg_catalog.regclass and g.grantee <> c.relowner";
    List<List<String>> before = database.rows(privileges);
    Migrated things =
        new Migrated(database, CollectionSpec.builder("things", Kind.SEQUENCE).table("t").build());

    things.apply();
    assertThat(database.rows(privileges)).isEqualTo(before);
    things.rollback();
    assertThat(database.rows(privileges)).isEqualTo(before);
    things.apply();
    things.contract();

    assertThat(database.rows(privileges))
        .isEqualTo(before)
        .containsExactly(List.of("sequence_user", "USAGE"));
  }

  @Test
  void indexesStayInTheirTablespace() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String tablespace = database.name() + "_\"space";
    String quoted = '"' + tablespace.replace("\"", "\"\"") + '"';
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("set allow_in_place_tablespaces = on");
      statement.execute("create tablespace " + quoted + " location ''");
    }
    try {
      database.execute(
          """
          create table t (id integer, "WHERE" text, primary key (id) using index tablespace %1$s);
          create index partial on t (id, "WHERE") with (fillfactor = 90) tablespace %1$s where id > 0;
          create index elsewhere on t (id desc)"""
              .formatted(quoted));
      String places =
          "select i.indexname, i.tablespace from pg_catalog.pg_indexes i where i.tablename = 't' and i.indexname not like '%!_!_%' escape '!' order by 1";
      List<List<String>> before = database.rows(places);
      Migrated things =
          new Migrated(
              database, CollectionSpec.builder("things", Kind.SEQUENCE).table("t").build());

      things.apply();
      assertThat(database.rows(places)).isEqualTo(before);
      things.rollback();
      assertThat(database.rows(places)).isEqualTo(before);
      things.apply();
      things.contract();

      assertThat(database.rows(places))
          .isEqualTo(before)
          .filteredOn(row -> tablespace.equals(row.get(1)))
          .hasSize(2);
    } finally {
      database.execute("drop table if exists t");
      database.execute("drop tablespace " + quoted);
    }
  }

  /** Code that locks parents before children must not meet the switch the other way round. */
  @Test
  void theSwitchAndItsRollbackLockTheTablesInTheOrderOfTheSteps() {
    Migrated forum = forum(TestServer.NEWEST);
    String lock =
        "lock table \"public\".\"posts\", \"public\".\"votes\", \"public\".\"members\" in access exclusive mode";

    List<Step> locking =
        forum.plan().steps().stream()
            .filter(step -> step.apply().stream().anyMatch(sql -> sql.startsWith("lock table")))
            .toList();

    assertThat(locking).extracting(Step::phase).containsExactly(Phase.SWITCH, Phase.CONTRACT);
    String view = "alter view if exists public.thread set schema public";
    assertThat(locking.get(0).apply()).startsWith(view, lock);
    assertThat(locking.get(0).undo()).startsWith(view, lock);
    assertThat(locking.get(1).apply()).startsWith(lock);
  }

  private static Migrated places() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table t (id serial primary key, n text);
        create table always (id integer generated always as identity primary key, t_id integer references t, n text);
        insert into t (n) select 'row' from generate_series(1, 9);
        insert into always (t_id) values (1)""");
    return new Migrated(
        database,
        CollectionSpec.builder("things", Kind.SEQUENCE).table("t").build(),
        CollectionSpec.builder("others", Kind.SEQUENCE).table("always").build());
  }

  @Test
  void anInsertByPositionKeepsItsKey() throws SQLException, IOException {
    Migrated places = places();
    TestDatabase database = places.database;

    places.apply();

    assertThat(database.rows("insert into t values (500, 'mine') returning id"))
        .containsExactly(List.of("500"));
    assertThat(database.rows("insert into t values (501, 'a'), (502, 'b') returning id"))
        .containsExactly(List.of("501"), List.of("502"));
    assertThat(database.rows("insert into t values (default, 'next') returning id"))
        .as("three numbers of the sequence were not used")
        .containsExactly(List.of("13"));
    assertThat(database.rows("insert into t select 503, 'c' returning id"))
        .containsExactly(List.of("503"));
    assertThat(
            database.rows("insert into t (id, n) values (3000000000, 'd') returning id, id__old"))
        .containsExactly(List.of("3000000000", "null"));
    assertThat(
            database.rows(
                "insert into always overriding system value values (9, 500, 'x') returning id, t_id"))
        .containsExactly(List.of("9", "500"));
    try (Connection connection = database.dataSource().getConnection()) {
      connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("copy t from stdin (format csv)", new StringReader("504,e,504\n,f,4000000000\n"));
    }
    assertThat(database.rows("select id, n from t where n in ('e', 'f') order by n"))
        .containsExactly(List.of("504", "e"), List.of("4000000000", "f"));
  }

  @Test
  void anUpdateOfEitherColumnChangesBoth() throws SQLException {
    Migrated places = places();
    TestDatabase database = places.database;
    String columns = " where n = 'mine' returning id, id__old";

    places.apply();
    database.execute("insert into t values (500, 'mine')");

    assertThat(database.rows("update t set id = 600" + columns))
        .containsExactly(List.of("600", "600"));
    assertThat(database.rows("update t set id__old = 700" + columns))
        .containsExactly(List.of("700", "700"));
    assertThat(database.rows("update t set id__old = null" + columns))
        .containsExactly(List.of("700", "700"));
    assertThat(database.rows("update t set id = 3000000000" + columns))
        .containsExactly(List.of("3000000000", "null"));
    assertThat(database.rows("update t set id = 800, id__old = 900" + columns))
        .containsExactly(List.of("800", "800"));
  }

  @Test
  void beforeTheSwitchTheOldColumnDecides() throws SQLException {
    Migrated places = places();
    TestDatabase database = places.database;
    List<List<String>> seen = new ArrayList<>();

    places.migrations.apply(
        places.plan(),
        Migrated.PACE,
        new MigrationListener() {
          @Override
          public void started(Step step, StepPosition position) {
            if (step.phase() == Phase.SWITCH && seen.isEmpty()) {
              seen.addAll(
                  database.rows("insert into t values (500, 'mine') returning id, id__new"));
              seen.addAll(
                  database.rows("insert into t values (501, 'mine', 7) returning id, id__new"));
              seen.addAll(
                  database.rows("update t set id__new = 8 where id = 500 returning id, id__new"));
            }
          }
        });

    assertThat(seen)
        .containsExactly(List.of("500", "500"), List.of("501", "501"), List.of("500", "500"));
    assertThat(database.rows("select id from t where n = 'mine' order by id"))
        .containsExactly(List.of("500"), List.of("501"));
  }

  @Test
  void thePlanSaysWhereTheKeyGoesAndWhichTablesHaveItsShape() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table t (id integer primary key, a integer, b integer);
        create table archive (like t);
        create schema old;
        create table old.t (x text, id integer, a integer, b integer);
        alter table old.t drop column x;
        create table other_order (id integer, b integer, a integer);
        create table other_type (id integer, a integer, b bigint)""");
    Migrated things =
        new Migrated(database, CollectionSpec.builder("things", Kind.SEQUENCE).table("t").build());

    assertThat(things.plan().notes())
        .anySatisfy(
            note ->
                assertThat(note)
                    .contains(
                        "the key becomes the last column for good",
                        "insert into archive select * puts values into the wrong columns"))
        .anySatisfy(
            note ->
                assertThat(note)
                    .isEqualTo(
                        "old.t, public.archive have the same column names, types and order as public.t, and then no longer"));
  }

  @Test
  void numbersGoOnWhereTheyWere() throws SQLException {
    Migrated forum = forum(TestServer.NEWEST);

    forum.apply();

    assertThat(
            forum.database.number(
                "insert into posts (member_id, body) values (100, 'next') returning id::bigint"))
        .isEqualTo(51);
    assertThat(
            forum.database.number(
                "insert into members (name) values ('new') returning member_id::bigint"))
        .isEqualTo(110);
    assertThat(forum.database.number("select count(*) from thread where id = 51")).isOne();
  }

  @Test
  void theWayBackEndsWithTheFirstValueThatTheOldTypeCannotHold() throws SQLException {
    Migrated forum = forum(TestServer.NEWEST);
    forum.apply();
    assertThat(forum.migrations.status().orElseThrow().limits())
        .anySatisfy(
            limit -> {
              assertThat(limit.column()).isEqualTo("public.posts.id");
              assertThat(limit.last()).isEqualTo(PAST_INTEGER - 1);
            });

    forum.database.execute(
        "insert into posts (id, member_id, body) values (" + PAST_INTEGER + ", 100, 'past')");
    forum.database.execute(
        "insert into votes (post_id, member_id) values (" + PAST_INTEGER + ", 100)");

    assertThatThrownBy(forum::rollback)
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("posts.id");
    forum.contract();
    assertThat(
            forum.database.number(
                "select post_id from votes where member_id = 100 and post_id > 100"))
        .isEqualTo(PAST_INTEGER);
  }

  /** What a sequence has of its type goes with the type, at whichever end it stops. */
  @Test
  void aDescendingIdentityGetsTheRangeOfItsNewType() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create table down (id integer generated always as identity (increment -1) primary key);"
            + " create table up (id integer generated always as identity (minvalue -2147483648) primary key);"
            + " create table short (id integer generated always as identity (increment -1 maxvalue 2147483647 minvalue 5) primary key)");
    Migrated migrated =
        new Migrated(
            database,
            CollectionSpec.builder("down", Kind.SEQUENCE).table("down").build(),
            CollectionSpec.builder("short", Kind.SEQUENCE).table("short").build(),
            CollectionSpec.builder("up", Kind.SEQUENCE).table("up").build());
    List<String> before = sequences(database);

    migrated.apply();
    migrated.rollback();
    assertThat(sequences(database)).isEqualTo(before);
    migrated.apply();
    migrated.contract();

    assertThat(sequences(database))
        .containsExactlyInAnyOrder(
            "7 sequence down_id_seq bigint -1 -1 -9223372036854775808 -1 false",
            "7 sequence up_id_seq bigint -2147483648 1 -2147483648 9223372036854775807 false",
            "7 sequence short_id_seq bigint 2147483647 -1 5 2147483647 false");
  }

  private static List<String> sequences(TestDatabase database) throws SQLException {
    return SchemaText.of(database).stream().filter(line -> line.startsWith("7 sequence")).toList();
  }

  @Test
  void aValueBelowTheOldTypeEndsTheWayBackToo() throws SQLException {
    Migrated forum = forum(TestServer.NEWEST);
    forum.apply();

    forum.database.execute(
        "insert into posts (id, member_id, body) values (-2147483649, 100, 'low')");

    assertThatThrownBy(forum::rollback)
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining(
            "the least value of public.posts.id is -2147483649, 1 past -2147483648");
    assertThat(forum.migrations.status().orElseThrow().state()).isEqualTo(MigrationState.BAKING);
  }

  @Test
  void aContractionThatFailedCanStillBeRolledBack() throws SQLException {
    Migrated forum = forum(TestServer.NEWEST);
    forum.apply();
    forum.database.execute("create view meanwhile as select id__old from posts");
    assertThatThrownBy(forum::contract).hasMessageContaining("meanwhile");

    forum.rollback();

    assertThat(forum.database.text("select pg_typeof(id__old)::text from meanwhile limit 1"))
        .isEqualTo("integer");
    assertThat(forum.database.text("select pg_typeof(id)::text from posts limit 1"))
        .isEqualTo("integer");
  }

  @Test
  void onlyReferencesThatAreNarrowerThanTheirTargetChange() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create table a (id bigint primary key); create table b (id bigint primary key, a_id integer references a (id)); insert into a values (7); insert into b values (1, 7)");
    Migrated migrated =
        new Migrated(database, CollectionSpec.builder("a", Kind.SEQUENCE).table("a").build());

    assertThat(migrated.plan().steps()).filteredOn(step -> step.phase() == Phase.EXPAND).hasSize(1);
    migrated.apply();
    migrated.contract();

    assertThat(database.text("select pg_typeof(a_id)::text from b")).isEqualTo("bigint");
    assertThat(migrated.plan().isEmpty()).isTrue();
  }

  @Test
  void domainsOverBigintStay() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create domain number as bigint; create table a (id integer primary key); create table b (id bigint primary key, a_id number references a (id)); insert into a values (7); insert into b values (1, 7)");
    Migrated migrated =
        new Migrated(database, CollectionSpec.builder("a", Kind.SEQUENCE).table("a").build());

    migrated.apply();
    migrated.contract();

    assertThat(database.text("select pg_typeof(id)::text from a")).isEqualTo("bigint");
    assertThat(database.text("select pg_typeof(a_id)::text from b")).isEqualTo("number");
    assertThat(migrated.plan().isEmpty()).isTrue();
  }

  @Test
  void domainsOverDomainsOverTheTypeStay() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create domain number as bigint;
        create domain order_number as number;
        create domain bill_number as order_number;
        create table orders (id order_number primary key);
        create table bills (id integer primary key);
        create table lines (bill_id bill_number references bills (id), id bigint primary key);
        create domain any_uuid as uuid;
        create domain meat_id as any_uuid;
        create table meats (id meat_id primary key);
        create domain count as integer;
        create domain rank as count;
        create table ranks (id rank primary key);
        insert into bills values (7);
        insert into lines values (7, 1);
        """);
    Migrated migrated =
        new Migrated(
            database,
            CollectionSpec.builder("orders", Kind.SEQUENCE).table("orders").build(),
            CollectionSpec.builder("bills", Kind.SEQUENCE).table("bills").build(),
            CollectionSpec.builder("meats", Kind.ULID).table("meats").build(),
            CollectionSpec.builder("ranks", Kind.SEQUENCE).narrow(true).table("ranks").build());

    assertThat(migrated.plan().refusals()).isEmpty();
    migrated.apply();
    migrated.contract();

    assertThat(database.text("select pg_typeof(id)::text from bills")).isEqualTo("bigint");
    assertThat(database.text("select pg_typeof(bill_id)::text from lines"))
        .isEqualTo("bill_number");
    assertThat(migrated.plan().isEmpty()).isTrue();
  }

  @Test
  void keyOfADomainOverADomainIsRefused() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create domain number as integer;
        create domain order_number as number;
        create table orders (id order_number primary key);
        create domain any_uuid as uuid;
        create domain meat_id as any_uuid;
        create table meats (id meat_id primary key);
        """);
    Migrated migrated =
        new Migrated(
            database,
            CollectionSpec.builder("orders", Kind.SEQUENCE).table("orders").build(),
            CollectionSpec.builder("meats", Kind.ULID)
                .storage(Kind.Storage.TEXT)
                .table("meats")
                .build());

    assertThat(migrated.plan().refusals())
        .extracting(Refusal::object, Refusal::code)
        .containsExactly(
            tuple("column public.orders.id", RefusalCode.DOMAIN_TYPE),
            tuple("column public.meats.id", RefusalCode.CONVERSION_TO_TEXT));
  }
}
