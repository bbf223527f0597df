package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be carried over is named in the plan, with why. */
@Tag("database")
class PreconditionsTest {
  private static Migrated text(String also) {
    return migrated(
        "create table t (id text primary key, note text, made date); " + also, Kind.ULID);
  }

  private static Migrated integer(String also) {
    return migrated(
        "create table t (id integer primary key, note text, made date); " + also, Kind.SEQUENCE);
  }

  private static Migrated migrated(String sql, Kind kind) {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(sql);
    return new Migrated(database, CollectionSpec.builder("things", kind).table("t").build());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create materialized view v as select id from t | materialized view public.v | filled again | materialized-view
          create view v as select id from t; create rule r as on insert to v do instead nothing | view public.v | rules | view-not-recreatable
          create view v as select a from t "X" (a) | view public.v | by their position | view-not-recreatable
          create policy p on t using (id <> 'x') | policy p on table public.t | depends on column public.t.id | dependent-object
          create publication p for table t | table public.t | subscribers lack | published-table
          create index i on t (lower(id)) | index i of public.t | computes with the key | index-expression
          create index i on t (note) where id > '01' | index i of public.t | computes with the key | index-expression
          alter table t add constraint c check (id <> note) | check c of public.t | about the text | check-expression
          alter table t add column twice text generated always as (lower(id)) stored | generated column public.t.twice | depends on column | dependent-object
          create function f() returns trigger language plpgsql as 'begin new.note := new.id; return new; end'; create trigger g before insert on t for each row execute function f() | trigger g of public.t | no longer a text | trigger-uses-key
          create function f() returns trigger language plpgsql as 'begin return new; end'; create trigger zzzz before insert on t for each row execute function f() | trigger zzzz of public.t | fires after | trigger-order
          create function f() returns text stable return (select max(id) from t) | function public.f() | depends on column | dependent-object
          alter table t add column id__new uuid | column public.t.id | id__new already | name-taken
          create table child () inherits (t) | table public.t | inheritance | partitioned-table
          create rule r as on delete to t do instead nothing | table public.t | rules | table-rules
          alter table t replica identity using index t_pkey | table public.t | replica identity | replica-identity
          create table p (t_id text references t (id)) partition by list (t_id) | table public.p | partitioned | partitioned-table
          create table c (t_id text default 'x' references t (id) on delete set default) | foreign key c_t_id_fkey of public.c | sets a default | set-default-action
          create view v as select length(id) as size from t | view public.v | function length(uuid) does not exist | view-query
          create view v as select id from t; create view w as select upper(id) as id, t.note from v join t using (id) | view public.w | function upper(uuid) does not exist | view-query
          create view v as select t.id, t.note, count(*) from t group by t.id | view public.v | GROUP BY | view-query
          create view v as select id from t; create function f() returns setof v language sql as 'select * from v' | view public.v | function public.f() uses it | view-not-recreatable
          create function f(t) returns text language sql as 'select $1.note' | table public.t | function public.f(public.t) uses the table's row type | row-type
          create statistics s on lower(id), note from t | statistics object public.s | computes with the key | statistics-expression
          create table c (t_id text default 'x' references t (id)) | column public.c.t_id | may be null | nullable-default
          create index i on t using spgist (id) | index i of public.t | spgist index | index-method
          create index t_pkey__new on t (note) | index t_pkey of public.t | t_pkey__new" already | name-taken
          create schema public__new create table t (i integer) | table public.t | "t" already | name-taken
          """)
  void isNamedOfATextKey(String obstacle, String object, String reason, String code) {
    MigrationPlan plan = text(obstacle).plan();

    assertThat(plan.refusals())
        .anySatisfy(
            refusal -> {
              assertThat(refusal.object()).isEqualTo(object);
              assertThat(refusal.reason()).contains(reason);
              assertThat(refusal.code().label()).isEqualTo(code);
              assertThat(refusal.remedy()).isNotEmpty();
              assertThat(refusal.collection()).isEqualTo("things");
            });
    assertThat(plan.steps()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create materialized view v as select id from t | materialized view public.v | filled again | materialized-view
          create view v as select a from t x (a) | view public.v | by their position | view-not-recreatable
          create policy p on t using (id > 1) | policy p on table public.t | depends on column public.t.id | dependent-object
          create table o (i integer); create table l (i integer); create rule r as on insert to o do also insert into l select id from t | rule r on table public.o | depends on column public.t.id | dependent-object
          create table o (i integer); create table l (i integer); create view v as select id from t; create rule r as on insert to o do also insert into l select id from v | view public.v | rule r on table public.o uses it | view-not-recreatable
          create function own(integer) returns boolean immutable return true; alter table t add check (own(id)) | check t_id_check of public.t | calls a function | check-function
          alter table t add exclude using btree (id with =) | index t_id_excl of public.t | exclusion | exclusion-constraint
          create view v as select id from t; create function f() returns setof v language sql as 'select * from v' | view public.v | function public.f() uses it | view-not-recreatable
          """)
  void isNamedOfANumber(String obstacle, String object, String reason, String code) {
    MigrationPlan plan = integer(obstacle).plan();

    assertThat(plan.refusals())
        .anySatisfy(
            refusal -> {
              assertThat(refusal.object()).isEqualTo(object);
              assertThat(refusal.reason()).contains(reason);
              assertThat(refusal.code().label()).isEqualTo(code);
            });
    assertThat(plan.steps()).isEmpty();
  }

  /** The remedy is followed. */
  @ParameterizedTest
  @ValueSource(strings = {"all tables", "tables in schema public"})
  void aPublicationThatDoesNotListTheTableIsReplaced(String tables) throws SQLException {
    Migrated things =
        text("create table other (id text primary key); create publication p for " + tables);

    assertThat(things.plan().refusals())
        .anySatisfy(
            refusal -> {
              assertThat(refusal.code()).isEqualTo(RefusalCode.PUBLISHED_TABLE);
              assertThat(refusal.reason())
                  .startsWith("it is published by p (for " + tables.substring(0, 3));
              assertThat(refusal.remedy())
                  .startsWith("such a publication cannot leave out one table");
            });

    things.database.execute("drop publication p; create publication p for table other");
    assertThat(things.plan().refusals()).isEmpty();
    things.apply();
    things.contract();
    things.database.execute("alter publication p add table t");
  }

  /** The remedy is followed: what reads the view goes on while it bakes. */
  @Test
  void theRowsOfAMaterializedViewAreKeptInATable() throws SQLException {
    Migrated things =
        text(
            "insert into t values ('01FZG96YPZK4SANAG1ZM5T2K9Z'); create materialized view v as select id from t;"
                + " grant select on v to public");

    String remedy = things.plan().refusals().get(0).remedy();
    assertThat(remedy)
        .startsWith(
            "keep its rows in a table until it is created again after the contraction: begin; ");
    things.database.execute(remedy.replaceFirst("^[^:]*: ", ""));
    things.apply();
    assertThat(things.database.text("select id from v")).isEqualTo("01FZG96YPZK4SANAG1ZM5T2K9Z");
    assertThat(
            things.database.text(
                "select relacl::text ~ '[{,]=r' from pg_class where relname = 'v'"))
        .isEqualTo("t");
    things.contract();
    things.database.execute("drop table v; create materialized view v as select id from t");

    assertThat(things.plan().isEmpty()).isTrue();
  }

  @Test
  void aPlanNamesFiveTablesInANote() {
    Migrated things =
        text(
            "do $$ begin for n in 1..9 loop execute 'create table c' || n || ' (id text references t)'; end loop; end $$");

    assertThat(things.plan().notes())
        .filteredOn(note -> note.contains("and 5 more"))
        .hasSize(3)
        .noneMatch(note -> note.contains("public.c9"));
  }

  @Test
  void aCheckOfTheTextEndsWithTheOldColumn() throws SQLException {
    Migrated things = text("alter table t add constraint is_ulid check (length(id) = 26)");

    assertThat(things.plan().notes())
        .anyMatch(note -> note.contains("check is_ulid of public.t is about the text"));
    things.apply();
    things.contract();

    assertThat(SchemaText.of(things.database)).noneMatch(line -> line.contains("is_ulid"));
  }

  @Test
  void expressionsOfNumbersAreCarried() throws SQLException {
    Migrated things =
        integer(
            "create index i on t ((id % 10), note) where id > 5; alter table t add constraint c check (id > 0)");

    things.apply();
    things.contract();

    assertThat(SchemaText.of(things.database))
        .contains(
            "3 constraint t c CHECK ((id > 0)) true",
            "4 index CREATE INDEX i ON public.t USING btree (((id % (10)::bigint)), note) WHERE (id > 5) true true");
  }

  /** Words of types are no columns, and parameters of an operator class do not end it. */
  @Test
  void columnsMayBeNamedAsWordsOfTypes() throws SQLException {
    Migrated things =
        integer(
            "create table c (zone integer references t, made timestamp(3), \"C\" integer references t);"
                + " create index i on c (zone) where made > '2020-01-01' and \"C\" > 0;"
                + " alter table c add check (made::time(3) > '10:00' or zone::double precision > 0);"
                + " alter table c add check (zone::text collate \"C\" <> '7');"
                + " create index b on t using brin"
                + " (id int4_bloom_ops(n_distinct_per_range=100), note text_bloom_ops(n_distinct_per_range=50))");

    things.apply();
    things.contract();

    assertThat(SchemaText.of(things.database))
        .anyMatch(
            line -> line.contains("(zone) WHERE") && line.contains("timestamp without time zone"))
        .anyMatch(line -> line.contains("time(3) without time zone"))
        .anyMatch(line -> line.contains("COLLATE \"C\""))
        .anyMatch(
            line ->
                line.contains("USING brin (id, note text_bloom_ops (n_distinct_per_range='50'))"));
  }

  @Test
  void aSequenceOfAnIdentityThatOthersDrawFromIsNamed() {
    Migrated things =
        migrated(
            "create table t (id integer generated by default as identity primary key);"
                + " create table o (i integer default nextval('t_id_seq'))",
            Kind.SEQUENCE);

    assertThat(things.plan().refusals())
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.object()).contains("column i of table public.o");
              assertThat(refusal.reason()).contains("the sequence of column public.t.id");
            });
  }

  @Test
  void aViewOfAnotherRoleIsNamed() throws SQLException {
    Migrated things =
        integer(
            """
            ;
            do $$ begin create role view_owner; exception when duplicate_object then end $$;
            do $$ begin create role table_owner login; exception when duplicate_object then end $$;
            alter table t owner to table_owner;
            create view v as select id from t;
            alter view v owner to view_owner""");
    MigrationPlanner planner =
        MigrationPlanner.over(
            things.database.dataSource("table_owner"), Pack.inSchema("mintmark").sql());
    Catalog catalog =
        Migrated.catalog(CollectionSpec.builder("things", Kind.SEQUENCE).table("t").build());

    assertThat(planner.plan(catalog, InvalidValues.REFUSE, reading -> {}).refusals())
        .extracting(Refusal::reason)
        .anyMatch(reason -> reason.contains("it belongs to view_owner, of which this role is no"));
  }

  /** PostgreSQL gives a view to no role that may not create in its schema. */
  @Test
  void ownersWhoMayNotCreateInTheSchemaAreNamed() throws SQLException {
    Migrated things =
        text(
            """
            ;
            do $$ begin create role poor_owner; exception when duplicate_object then end $$;
            do $$ begin create role poor_runner login; exception when duplicate_object then end $$;
            grant poor_owner to poor_runner;
            grant create on schema public to poor_runner;
            create view v as select id from t;
            alter view v owner to poor_owner;
            grant select on t to poor_owner;
            alter table t owner to poor_owner""");
    things.database.execute(
        "grant create on database %s to poor_runner".formatted(things.database.name()));
    MigrationPlanner planner =
        MigrationPlanner.over(
            things.database.dataSource("poor_runner"), Pack.inSchema("mintmark").sql());
    Catalog catalog =
        Migrated.catalog(CollectionSpec.builder("things", Kind.ULID).table("t").build());

    assertThat(planner.plan(catalog, InvalidValues.REFUSE, reading -> {}).refusals())
        .extracting(Refusal::code, Refusal::object, Refusal::remedy)
        .contains(
            tuple(
                RefusalCode.SCHEMA_PRIVILEGE,
                "schema public",
                "grant create on schema public to poor_owner"))
        .anyMatch(refusal -> refusal.toString().contains("view public.v"));
    assertThat(things.plan().refusals()).as("of a superuser").isEmpty();
    things.database.execute("grant create on schema public to poor_owner");
    assertThat(planner.plan(catalog, InvalidValues.REFUSE, reading -> {}).refusals()).isEmpty();
  }

  /** The rows of the catalog that a refresh would make, without a publisher. */
  @Test
  void tablesOfATextKeyThatASubscriptionWritesAreNamed() {
    String subscription =
        "create table r (t_id text references t);"
            + " create subscription s connection 'host=nowhere' publication p with (connect = false, slot_name = none, enabled = false);"
            + " insert into pg_subscription_rel (srsubid, srrelid, srsubstate) select oid, 'r'::regclass, 'r' from pg_subscription where subname = 's' and subdbid = (select oid from pg_database where datname = current_database())";
    Migrated things = text("set allow_system_table_mods = on;" + subscription);
    try {
      assertThat(things.plan().refusals())
          .extracting(Refusal::code, Refusal::object)
          .containsExactly(tuple(RefusalCode.SUBSCRIBED_TABLE, "table public.r"));
    } finally {
      things.database.execute(
          "set allow_system_table_mods = on; delete from pg_subscription_rel; drop subscription s");
    }
  }

  @Test
  void aTemporaryViewIsNamed() throws SQLException {
    Migrated things = integer("");
    try (Connection session = things.database.dataSource().getConnection();
        Statement statement = session.createStatement()) {
      statement.execute("create temporary view v as select id from t");

      assertThat(things.plan().refusals())
          .singleElement()
          .satisfies(refusal -> assertThat(refusal.reason()).contains("it is temporary"));
    }
  }

  @Test
  void viewsThatFitTheNewTypeAreCarried() throws SQLException {
    Migrated things =
        text(
            "create view v as select id, note, count(*) over () from t where id is not null;"
                + " create view \"W\" as with t as (select 1) select a.id, b.note from v a join v b using (id)");

    things.apply();
    things.contract();

    assertThat(SchemaText.of(things.database))
        .anyMatch(line -> line.startsWith("2 column \"W\" 001 id uuid"));
  }

  /** The server names columns by the name of their table, unless it has an alias. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select t.id, t_1.note from t join two.t t_1 using (note)",
        "select public.t.id, two.t.note from two.t join public.t on two.t.note = public.t.note where exists (select from t)",
        "select a.id from t a, t b, two.t where a.id = b.id",
        "select \"T\".id from t \"T\" cross join two.t order by 1",
        "with t as (select note from two.t) select note from t union all select note from public.t",
        "with both_of_them as (select t.* from t, two.t o) select count(*) from both_of_them",
        "select x.id from t x left join two.v v using (note)",
        "select 't'::regclass as t, t.id from t"
      })
  void viewsMayJoinTablesOfTheSameName(String query) throws SQLException {
    for (String key : new String[] {"text primary key", "text primary key references t"}) {
      Migrated things =
          text(
              """
              create schema two;
              create table two.t (id %s, note text);
              create view two.v as select id, note from two.t;
              create view v as %s"""
                  .formatted(key, query));

      assertThat(things.plan().refusals()).isEmpty();
      things.apply();
      things.contract();
    }
  }

  @Test
  void columnsMayBeNamedAsKeywords() throws SQLException {
    Migrated things =
        text(
            "alter table t add column \"KEY\" text unique references t, add column key text references t on delete set null (key)");

    things.apply();
    things.contract();

    assertThat(SchemaText.of(things.database))
        .contains(
            "3 constraint t t_KEY_fkey FOREIGN KEY (\"KEY\") REFERENCES t(id) true",
            "3 constraint t t_key_fkey FOREIGN KEY (key) REFERENCES t(id) ON DELETE SET NULL (key) true");
  }

  @Test
  void aTableThatIsNotThereIsNamed() {
    Migrated things = migrated("create table other (id integer)", Kind.ULID);

    assertThat(things.plan().refusals())
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.object()).isEqualTo("table t"));
  }

  @Test
  void aNumberDoesNotBecomeAUlid() {
    Migrated things = migrated("create table t (id bigint primary key)", Kind.ULID);

    assertThat(things.plan().refusals())
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.remedy()).contains("gains beside it"));
  }
}
