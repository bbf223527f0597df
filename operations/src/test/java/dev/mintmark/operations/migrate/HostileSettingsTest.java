package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Settings of a role or a database that change what SQL text means do not change a migration. */
@Tag("long")
class HostileSettingsTest {
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("standard_conforming_strings", "off"),
          Map.entry("escape_string_warning", "on"),
          Map.entry("backslash_quote", "off"),
          Map.entry("quote_all_identifiers", "on"),
          Map.entry("transform_null_equals", "on"),
          Map.entry("array_nulls", "off"),
          Map.entry("bytea_output", "escape"),
          Map.entry("DateStyle", "SQL, DMY"),
          Map.entry("IntervalStyle", "sql_standard"),
          Map.entry("extra_float_digits", "-10"),
          Map.entry("xmloption", "document"),
          Map.entry("search_path", "evil, pg_catalog, public"));

  private static final String SCHEMA =
      """
      create schema evil;
      create function evil.format(text, bigint) returns text language plpgsql as 'begin raise exception ''planted''; end';
      create function evil.divided(real, integer) returns double precision language plpgsql as 'begin raise exception ''planted''; end';
      create operator public./ (leftarg = real, rightarg = integer, function = evil.divided);
      create table "a\\""b" (
        id text primary key,
        n text not null,
        at timestamptz,
        length interval,
        bytes bytea,
        tags text[],
        size double precision,
        path text generated always as (n || '\\t') stored,
        constraint digits check (n ~ '^\\d+$' or n = 'x\\y')
      );
      comment on column "a\\""b".id is 'C:\\temp\\new';
      create unique index one_number on "a\\""b" (id) where n ~ '^\\d+$';
      create index by_time on "a\\""b" (id) where at > '2020-02-01T00:00:00Z';
      create index by_length on "a\\""b" (id) where length > '-1 days -02:03:04'::interval;
      create index by_bytes on "a\\""b" (id) where bytes = '\\x5c00ff'::bytea;
      create index by_tags on "a\\""b" (id) where tags = '{NULL,"NULL"}'::text[];
      create index by_size on "a\\""b" (id) where size > 0.12345678901234567;
      create view shown as select id, n, 'C:\\temp\\new' as path from "a\\""b" where n ~ '^\\d+$';
      insert into "a\\""b" (id, n) select '01FZG96YPZK4SANAG1ZM5T2K9' || d, d from generate_series(0, 9) d;

      create table "c""d" (id integer primary key, n text, constraint both_digits check (id > 0 and n ~ '^\\d+$'));
      create unique index number_of_digits on "c""d" (id) where n ~ '^\\d+$';
      create view "v""w" as select id, 'C:\\new' as path from "c""d" where n ~ '^\\d+$';
      create function note() returns trigger language plpgsql as 'begin return new; end';
      create trigger digits before update of id on "c""d" for each row when (new.n ~ '^\\d+$') execute function note();
      insert into "c""d" select d, d from generate_series(1, 9) d;
      """;

  private static Migrated migrated(TestServer server) {
    TestDatabase database = server.createDatabase();
    database.execute(SCHEMA);
    return new Migrated(
        database,
        CollectionSpec.builder("orders", Kind.ULID).table("public.a\\\"b").build(),
        CollectionSpec.builder("lines", Kind.SEQUENCE).table("public.c\"d").build());
  }

  private static void disturb(TestDatabase database) {
    SETTINGS.forEach(
        (name, value) ->
            database.execute(
                "alter database %s set %s = %s"
                    .formatted(
                        database.name(),
                        name,
                        name.equals("search_path") ? value : "'" + value + "'")));
  }

  /** The schema and the rows, read under the settings of the server. */
  private static List<String> content(TestDatabase database) {
    database.execute("alter database " + database.name() + " reset all");
    List<String> content = SchemaText.of(database);
    for (String relation : List.of("public.shown", "public.\"a\\\"\"b\"", "public.\"c\"\"d\"")) {
      content.add(SchemaText.rows(database, relation));
    }
    return content;
  }

  private interface Run {
    void run(Migrated migrated) throws SQLException;
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void changeNothing(TestServer server) throws SQLException {
    Migrated usual = migrated(server);
    Migrated hostile = migrated(server);
    List<String> before = content(hostile.database);
    disturb(hostile.database);

    assertThat(hostile.plan().refusals()).isEmpty();
    assertThat(hostile.plan().fingerprint()).isEqualTo(usual.plan().fingerprint());
    for (Run run :
        List.<Run>of(Migrated::apply, Migrated::rollback, Migrated::apply, Migrated::contract)) {
      run.run(usual);
      run.run(hostile);

      List<String> content = content(hostile.database);
      assertThat(content)
          .as("after %s", hostile.migrations.status().orElseThrow().state())
          .isEqualTo(content(usual.database));
      if (hostile.migrations.status().orElseThrow().state() == MigrationState.ROLLED_BACK) {
        assertThat(content).containsAll(before);
      }
      disturb(hostile.database);
    }
    assertThat(hostile.plan().isEmpty()).isTrue();
  }

  /** Triggers of users are written for the settings of the database. */
  @Test
  void triggersThatABatchFiresRunUnderThem() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema lib;
        create function lib.digits(text) returns text language sql return $1;
        create table t (id integer primary key, n text not null);
        insert into t values (1, '1');
        create function check_digits() returns trigger language plpgsql
          as $$ begin new.n := digits('\\d') || current_setting('standard_conforming_strings'); return new; end $$;
        create trigger digits before update on t for each row execute function check_digits();
        alter table t enable always trigger digits;
        """);
    database.execute(
        "alter database " + database.name() + " set standard_conforming_strings = off");
    database.execute("alter database " + database.name() + " set search_path = lib, public");
    Migrated things =
        new Migrated(
            database, CollectionSpec.builder("things", Kind.SEQUENCE).table("public.t").build());

    things.apply();

    assertThat(database.rows("select n from public.t")).containsExactly(List.of("doff"));
  }

  private interface Attempt {
    void run() throws SQLException;
  }

  /** A plan may read whole tables, and a step may wait for a lock. */
  @OnServers({TestServer.V14, TestServer.V18})
  void timeoutsOfARoleEndNothing(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute("create table t (id integer primary key)");
    Migrated things =
        new Migrated(database, CollectionSpec.builder("things", Kind.SEQUENCE).table("t").build());
    List<String> timeouts =
        server == TestServer.V14
            ? List.of("statement_timeout")
            : List.of("statement_timeout", "transaction_timeout");
    for (String timeout : timeouts) {
      database.execute("alter database %s set %s = '1s'".formatted(database.name(), timeout));
    }
    whileLocked(database, timeouts, things::plan);
    MigrationPlan plan = things.plan();
    whileLocked(
        database,
        timeouts,
        () -> things.migrations.apply(plan, Orders.PATIENT, MigrationListener.SILENT));

    assertThat(things.migrations.status().orElseThrow().state()).isEqualTo(MigrationState.BAKING);
  }

  /** Keeps the table locked until a statement has waited for longer than the timeouts. */
  private static void whileLocked(TestDatabase database, List<String> timeouts, Attempt attempt)
      throws SQLException {
    try (Connection other = Migrated.other(database)) {
      try (Statement statement = other.createStatement()) {
        for (String timeout : timeouts) {
          statement.execute("set " + timeout + " = 0");
        }
        statement.execute("lock table public.t in access exclusive mode");
      }
      CompletableFuture<Void> running =
          CompletableFuture.runAsync(
              () -> {
                try {
                  attempt.run();
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              ThreadPerTask.EXECUTOR);
      Patience.await(
          "a statement waits for long, or failed",
          () ->
              running.isDone()
                  || database.number(
                          "select pg_catalog.count(*) from pg_catalog.pg_stat_activity a where a.datname = pg_catalog.current_database()"
                              + " and a.wait_event_type = 'Lock' and pg_catalog.clock_timestamp() - a.xact_start > interval '1.5 s'")
                      > 0);
      other.rollback();
      running.join();
    }
  }
}
