package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.operations.SampleSchemas;
import dev.mintmark.operations.doctor.CatalogDraft;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is drafted as it is, and declared as it is, is planned to stay so. */
@Tag("slow")
class DraftedPlanTest {
  @OnServersCsv({"V14, PAGILA", "V18, PAGILA", "V14, CHINOOK", "V18, CHINOOK"})
  void samplesStayAsTheyAreDrafted(TestServer server, SampleSchemas schema) throws SQLException {
    TestDatabase database = server.createDatabase();
    SampleSchemas.load(database, schema);

    staysAsDrafted(database, 10);
  }

  @OnServersCsv({"V14, shop.sql, 2", "V18, shop.sql, 2", "V14, forum.sql, 2", "V18, forum.sql, 2"})
  void scriptsStayAsTheyAreDrafted(TestServer server, String script, int collections)
      throws SQLException {
    TestDatabase database = server.createDatabase();
    Migrated.run(database, script);

    staysAsDrafted(database, collections);
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void keysOfEveryShapeStayAsTheyAreDrafted(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create domain number as integer;
        create domain email as varchar(80);
        create domain place as uuid;
        create schema "Bob's";
        create table numbers (id number primary key);
        create table "Bob's"."No %s" ("The id" smallint primary key references numbers);
        create table amounts (id numeric primary key);
        create table shares (id integer primary key references amounts);
        create table tweets (id bigint primary key);
        create table people (mail email primary key);
        create table codes (id char(8) primary key);
        create table places (id place primary key, parent_id uuid, above uuid references places);
        create table events (id uuid primary key) partition by hash (id);
        create table events_0 partition of events for values with (modulus 1, remainder 0);
        create table logs (id uuid primary key default gen_random_uuid());
        create table late_logs () inherits (logs);
        create table tickets (id text primary key, ticket_id text);
        insert into places values ('017fe093-7adf-74b2-a558-f0fd4a5a4d3f', '017fe093-7adf-74b2-a558-f0fd4a5a4d3f', null);
        insert into tickets values ('01FZG96YPZK4SANAG1ZM5T2K9Z'), ('01FZG96YPZK4SANAG1ZM5T2K9Y');
        """);

    staysAsDrafted(database, 10);
  }

  @Test
  void narrowKeyIsLeftAsItIsUnlessAnotherTakesItAlong() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create table a (id integer primary key); create table b (id bigint primary key, a_id smallint references a)");
    CollectionSpec a = CollectionSpec.builder("a", Kind.SEQUENCE).narrow(true).table("a").build();
    CollectionSpec b = CollectionSpec.builder("b", Kind.SEQUENCE).table("b").column("a_id").build();

    assertThat(new Migrated(database, a).plan().isEmpty()).isTrue();
    Migrated both = new Migrated(database, a, b);
    assertThat(both.plan().notes()).contains("a becomes bigint with b: declare storage: bigint");
    both.apply();
    both.contract();

    assertThat(
            database.text(
                "select atttypid::regtype::text from pg_attribute where attrelid = 'a'::regclass and attname = 'id'"))
        .isEqualTo("bigint");
    assertThat(both.plan().refusals())
        .containsExactly(
            new Refusal(
                RefusalCode.NARROWING,
                "a",
                "column public.a.id",
                "it is bigint, and declared to be an integer: narrowing is not supported",
                "declare storage: bigint"));
  }

  @Test
  void narrowKeyIsNotAdded() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table a (id integer primary key, text text)");
    CollectionSpec.Builder a = CollectionSpec.builder("a", Kind.SEQUENCE).narrow(true).table("a");

    assertThat(new Migrated(database, a.column("no").build()).plan())
        .isEqualTo(
            refused(
                RefusalCode.MISSING_COLUMN,
                "table public.a",
                "it has no column no, and would get a bigint",
                "declare storage: bigint, or name the column that exists"));
    assertThat(new Migrated(database, a.column("text").build()).plan())
        .isEqualTo(
            refused(
                RefusalCode.UNSUITABLE_TYPE,
                "column public.a.text",
                "it is text, and declared to be an integer",
                "declare its storage as it is, or name another column"));
  }

  private static MigrationPlan refused(
      RefusalCode code, String object, String reason, String remedy) {
    return new MigrationPlan(
        List.of(), List.of(new Refusal(code, "a", object, reason, remedy)), List.of(), List.of());
  }

  private static void staysAsDrafted(TestDatabase database, int collectionsMin)
      throws SQLException {
    CatalogDraft draft = CatalogDraft.of(database.dataSource());
    assertThat(draft.catalog().collections()).hasSizeGreaterThanOrEqualTo(collectionsMin);
    MigrationPlan plan =
        new Migrated(database, draft.catalog().collections().toArray(CollectionSpec[]::new)).plan();

    assertThat(plan).isEqualTo(new MigrationPlan(List.of(), List.of(), List.of(), List.of()));
  }
}
