package dev.mintmark.postgres.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Removal.Removed;
import dev.mintmark.postgres.pack.Removal.StillUsed;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Installing, comparing and uninstalling the pack, and the obstacles to each. */
@Tag("slow")
class PackTest {
  private static final Pack PACK = Pack.inSchema(Pack.SCHEMA);

  @OnServers
  void installingTwiceChangesNothing(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();

    Installation first = PACK.install(database.dataSource());
    Map<String, String> before = catalog(database);
    Installation second = PACK.install(database.dataSource());

    assertThat(first.before()).isEmpty();
    assertThat(first.differences()).hasSizeGreaterThan(20);
    assertThat(second)
        .isEqualTo(new Installation(Pack.VERSION, Optional.of(Pack.VERSION), List.of(), List.of()));
    assertThat(catalog(database)).isEqualTo(before);
    assertThat(PACK.verify(database.dataSource())).isEmpty();
    assertThat(catalog(database)).isEqualTo(before);
  }

  @OnServers
  void theScriptAppliedTwiceChangesNothing(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();

    database.execute(PACK.sql());
    Map<String, String> before = catalog(database);
    database.execute(PACK.sql());

    assertThat(catalog(database)).isEqualTo(before);
    assertThat(PACK.verify(database.dataSource())).isEmpty();
  }

  @Test
  void flywayConverges() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Flyway flyway =
        Flyway.configure()
            .dataSource(database.dataSource())
            .locations("classpath:" + Pack.MIGRATIONS)
            .validateMigrationNaming(true)
            .load();

    assertThat(flyway.migrate().migrationsExecuted).isEqualTo(1);
    assertThat(flyway.migrate().migrationsExecuted).isZero();
    assertThat(flyway.info().pending()).isEmpty();
    assertThat(PACK.verify(database.dataSource())).isEmpty();
    assertThat(PACK.install(database.dataSource()).differences()).isEmpty();
  }

  @OnServers
  void thePathOfTheInstallerDoesNotMatter(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        "alter database %s set search_path to mintmark, pg_catalog".formatted(database.name()));

    PACK.install(database.dataSource());
    assertThat(PACK.verify(database.dataSource())).isEmpty();
    database.execute(PACK.sql());
    assertThat(PACK.verify(database.dataSource())).isEmpty();

    assertThat(database.text("select ulid_text(ulid())")).hasSize(26);
    assertThat(database.text("select mintmark.uuidv7()::text")).hasSize(36);
  }

  @Test
  void theVersionIsThatOfTheScript() throws SQLException {
    TestDatabase database = installed();

    assertThat(database.value("select mintmark.pack_version()", Integer.class))
        .isEqualTo(Pack.VERSION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ids", "user", "My \"Schema\"", "10%s", "data", "share", "größe"})
  void anySchemaWillDo(String schema) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Pack pack = Pack.inSchema(schema);

    pack.install(database.dataSource());

    String quoted = '"' + schema.replace("\"", "\"\"") + '"';
    assertThat(
            database.text(
                "select %1$s.ulid_text(%1$s.ulid_monotonic()) from %1$s.ulids(2) limit 1"
                    .formatted(quoted)))
        .hasSize(26);
    assertThat(database.number("select count(*) from pg_namespace where nspname = 'mintmark'"))
        .isZero();
    assertThat(pack.verify(database.dataSource())).isEmpty();
    assertThat(pack.install(database.dataSource()).differences()).isEmpty();
    database.execute(pack.sql());
    assertThat(pack.verify(database.dataSource())).isEmpty();
    assertThat(pack.uninstall(database.dataSource())).isInstanceOf(Removed.class);
    assertThat(objects(database)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "pg_mine",
        "it's",
        "a$body$b",
        "a\\b",
        "a\nb",
        "0123456789012345678901234567890123456789012345678901234567890123"
      })
  void aSchemaThatPostgresDoesNotKeepIsRefused(String schema) {
    assertThatIllegalArgumentException().isThrownBy(() -> Pack.inSchema(schema));
  }

  @Test
  void verifySaysWhatDiffers() throws SQLException {
    TestDatabase database = installed();
    database.execute("drop function mintmark.unprefixed(text, text)");
    database.execute(
        "create or replace function mintmark.ulid() returns uuid language sql return gen_random_uuid()");
    database.execute("revoke execute on function mintmark.ulid_text(uuid) from public");
    database.execute("revoke usage on schema mintmark from public");
    database.execute("alter sequence mintmark.ulid_clock cache 20");
    database.execute("create function mintmark.my_own() returns int language sql return 1");

    assertThat(PACK.verify(database.dataSource()).stream().map(Difference::object))
        .containsExactlyInAnyOrder(
            "function ulid()",
            "function unprefixed(text, text)",
            "function ulid_text(uuid)",
            "schema mintmark",
            "sequence ulid_clock");
  }

  @Test
  void verifyFindsNothingWhereNothingIs() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();

    assertThat(PACK.verify(database.dataSource()))
        .isNotEmpty()
        .allMatch(difference -> difference instanceof Difference.Missing);
    assertThat(objects(database)).isZero();
  }

  @OnServers
  void installingRepairsWhatWasChangedUnderADefaultThatUsesIt(TestServer server)
      throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute("create schema mintmark");
    // An earlier pack: fewer functions, and other bodies.
    database.execute("create function mintmark.pack_version() returns int language sql return 0");
    database.execute(
        "create function mintmark.ulid() returns uuid language sql as 'select gen_random_uuid()'");
    database.execute("create table t (id uuid primary key default mintmark.ulid())");
    database.execute("insert into t default values");

    Installation installation = PACK.install(database.dataSource());
    database.execute("insert into t default values");

    assertThat(installation.before()).contains(0);
    assertThat(PACK.verify(database.dataSource())).isEmpty();
    assertThat(
            database.number(
                "select count(*) from t where mintmark.ulid_time(id) between now() - interval '1 hour'"
                    + " and now() + interval '1 second'"))
        .isEqualTo(1);
  }

  @Test
  void aClockAndADomainThatWereAlteredAreMadeWhatTheyWere() throws SQLException {
    TestDatabase database = installed();
    database.execute("alter sequence mintmark.ulid_clock cache 20 increment 5");
    database.execute("alter domain mintmark.ulid_as_text drop constraint ulid_as_text_check");

    assertThat(PACK.install(database.dataSource()).differences()).hasSize(2);
    assertThat(PACK.verify(database.dataSource())).isEmpty();
  }

  @Test
  void nobodyButItsOwnerMaySetTheClock() throws SQLException {
    TestDatabase database = installed();
    database.execute("grant all on sequence mintmark.ulid_clock to public");

    assertThat(PACK.verify(database.dataSource()).stream().map(Difference::object))
        .containsExactly("sequence ulid_clock");
    PACK.install(database.dataSource());
    assertThat(PACK.verify(database.dataSource())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "create type mintmark.ulid_as_text as enum (), ulid_as_text",
    "create procedure mintmark.ulid() language sql as '', ulid",
    "create table mintmark.ulid_clock (), ulid_clock"
  })
  void whatIsInTheWayIsSaid(String obstacle, String object) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create schema mintmark; " + obstacle);

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.install(database.dataSource()))
        .withMessageContaining("schema \"mintmark\": ")
        .withMessageContaining(object);
    assertThat(PACK.verify(database.dataSource())).hasSizeGreaterThan(20);
  }

  @Test
  void whoDoesNotOwnTheSchemaCannotInstallIntoIt() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String role = "guest_" + database.name();
    database.execute("create role %s login; create schema mintmark".formatted(role));
    database.execute("grant all on schema mintmark to " + role);

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.install(database.dataSource(role)))
        .withMessageContaining("the schema mintmark belongs to another role");
    assertThat(objects(database)).isZero();
  }

  @Test
  void aSchemaOfItsOwnIsAllAnInstallerNeeds() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String role = "owner_" + database.name();
    database.execute(
        "create role %1$s login; create schema mintmark authorization %1$s".formatted(role));

    PACK.install(database.dataSource(role));

    assertThat(PACK.verify(database.dataSource(role))).isEmpty();
    assertThat(PACK.uninstall(database.dataSource(role))).isInstanceOf(Removed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "standard_conforming_strings to off",
        "quote_all_identifiers to on",
        "datestyle to 'German'",
        "timezone to 'Asia/Kathmandu'",
        "intervalstyle to 'iso_8601'",
        "bytea_output to 'escape'",
        "extra_float_digits to '-15'"
      })
  void settingsOfTheDatabaseDoNotMatter(String setting) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("alter database %s set %s".formatted(database.name(), setting));

    database.execute(PACK.sql());

    assertThat(PACK.verify(database.dataSource())).isEmpty();
    PGSimpleDataSource reader = database.newSessions();
    reader.setOptions("-c default_transaction_read_only=on");
    assertThat(PACK.verify(reader)).as("compared with the record of the script").isEmpty();
    database.execute("alter database %s reset all".formatted(database.name()));
    assertThat(PACK.verify(reader)).as("in a session with other settings").isEmpty();
    assertThat(PACK.install(database.dataSource()).differences()).isEmpty();
    assertThat(database.text("select mintmark.ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K9Z')"))
        .isEqualTo("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    assertThat(database.text("select mintmark.quoted(chr(92) || chr(34) || chr(7))"))
        .isEqualTo("\"\\\\\\\"\\u0007\"");
  }

  @Test
  void aPackWithoutTheObjectsOfAVersionIsUpgraded() throws SQLException {
    TestDatabase database = installed();
    database.execute(
        """
        create table tracks (id uuid default mintmark.ulid());
        drop aggregate mintmark.min(uuid), mintmark.max(uuid);
        drop function mintmark.uuid_lesser(uuid, uuid), mintmark.uuid_greater(uuid, uuid),
          mintmark.ulid(timestamptz), mintmark.typeid_text(text, uuid), mintmark.typeid_uuid(text),
          mintmark.try_typeid_uuid(text), mintmark.malformed_typeid(text), mintmark.nanoid(integer),
          mintmark.refused_typeid_prefix(text);
        create or replace function mintmark.pack_version() returns integer
          language sql immutable parallel safe return 4;
        """);

    assertThat(PACK.verify(database.dataSource()).stream().map(Difference::object))
        .hasSize(12)
        .contains("aggregate min(uuid)", "aggregate max(uuid)", "function pack_version()");
    assertThat(PACK.install(database.dataSource()).before()).contains(4);
    assertThat(PACK.verify(database.dataSource())).isEmpty();
    database.execute("insert into tracks default values");
  }

  @Test
  void anAggregateIsComparedAndItsUsesAreFound() throws SQLException {
    TestDatabase database = installed();
    database.execute(
        """
        create or replace aggregate mintmark.min(uuid) (sfunc = mintmark.uuid_greater, stype = uuid);
        create view latest as select mintmark.max(id) from (values (gen_random_uuid())) v (id);
        """);

    assertThat(PACK.verify(database.dataSource()))
        .containsExactly(
            new Difference.Changed(
                "aggregate min(uuid)", "uuid_lesser uuid_lesser uuid < s", "uuid_greater uuid u"));
    assertThat(PACK.install(database.dataSource()).differences()).hasSize(1);
    assertThat(PACK.verify(database.dataSource())).isEmpty();
    assertThat(PACK.uninstall(database.dataSource()))
        .isEqualTo(new Removal.StillUsed(List.of("rule _RETURN on view public.latest")));
  }

  @Test
  void anEarlierScriptDoesNotReplaceALaterPack() throws SQLException {
    TestDatabase database = installed();
    database.execute(
        "create or replace function mintmark.pack_version() returns int language sql immutable return 99");

    assertThatThrownBy(() -> database.execute(PACK.sql()))
        .hasMessageContaining(
            "version 99 of the pack is installed: version 7 is earlier and cannot replace it");
  }

  @Test
  void aLaterPackIsNotReplaced() throws SQLException {
    TestDatabase database = installed();
    database.execute(
        "create or replace function mintmark.pack_version() returns int language sql immutable return 99");

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.install(database.dataSource()))
        .withMessage(
            "schema \"mintmark\": version 99 of the pack is installed: version "
                + Pack.VERSION
                + " is earlier and cannot replace it");
  }

  @Test
  void aFunctionOfThatNameWhichIsAnotherOneIsNotReplaced() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create schema mintmark");
    database.execute(
        "create function mintmark.ulid() returns text language sql as $$ select 'mine' $$");

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.install(database.dataSource()))
        .withMessageContaining("schema \"mintmark\": ")
        .withMessageContaining("cannot change return type of existing function")
        .withMessageContaining("mintmark.ulid()");
    assertThat(database.text("select mintmark.ulid()")).isEqualTo("mine");
    assertThat(
            database.number(
                "select count(*) from pg_proc where pronamespace = 'mintmark'::regnamespace"))
        .isEqualTo(1);
  }

  @OnServers
  void uninstallingLeavesNothing(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    PACK.install(database.dataSource());

    Removal removal = PACK.uninstall(database.dataSource());

    assertThat(removal)
        .isInstanceOfSatisfying(
            Removed.class,
            removed ->
                assertThat(removed.objects()).contains("sequence ulid_clock", "function ulid()"));
    assertThat(objects(database)).isZero();
    assertThat(database.number("select count(*) from pg_namespace where nspname = 'mintmark'"))
        .isZero();
    assertThat(PACK.uninstall(database.dataSource())).isEqualTo(new Removed(List.of()));
  }

  /** As the trigger function of a key migration, which would break every write. */
  @Test
  void functionsOfTheSchemaThatCallThePackAreUses() throws SQLException {
    TestDatabase database = installed();
    database.execute(
        """
        create function mintmark."sync t"() returns trigger language plpgsql as
          'begin new.id__new := mintmark.ulid_uuid(new.id); return new; end';
        create function mintmark.unrelated() returns text language plpgsql as
          'begin return ''other.ulid_uuid(x), mintmark.ulid''; end';
        """);

    assertThat(PACK.uninstall(database.dataSource()))
        .isEqualTo(new Removal.StillUsed(List.of("function mintmark.\"sync t\"()")));
    database.execute("drop function mintmark.\"sync t\"()");
    assertThat(PACK.uninstall(database.dataSource())).isInstanceOf(Removed.class);
  }

  @Test
  void uninstallingLeavesWhatIsNotOurs() throws SQLException {
    TestDatabase database = installed();
    database.execute("create table mintmark.mine (id int)");

    assertThat(PACK.uninstall(database.dataSource())).isInstanceOf(Removed.class);
    assertThat(database.number("select count(*) from mintmark.mine")).isZero();
    assertThat(objects(database)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create table t (id uuid default mintmark.ulid())",
        "create table t (id uuid check (mintmark.ulid_is_sane(id)))",
        "create table t (id uuid, s text generated always as (mintmark.ulid_text(id)) stored)",
        "create table t (id mintmark.ulid_as_text)",
        "create table t (id mintmark.ulid_as_text[])",
        "create table t (id uuid); create index i on t (mintmark.ulid_text(id))",
        "create view v as select mintmark.uuidv7() as id",
        "create table t (id bigint default nextval('mintmark.ulid_clock'))",
        "create function f() returns uuid language sql return mintmark.ulid_monotonic()"
      })
  void uninstallingIsRefusedWhileSomethingUsesIt(String user) throws SQLException {
    TestDatabase database = installed();
    database.execute(user);
    Map<String, String> before = catalog(database);

    assertThat(PACK.uninstall(database.dataSource()))
        .isInstanceOfSatisfying(StillUsed.class, used -> assertThat(used.dependents()).hasSize(1));
    assertThat(catalog(database)).isEqualTo(before);
  }

  @Test
  void theInstallerNeedsNoMoreThanCreateAndTheApplicationNothing() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String name = database.name();
    database.execute(
        "create role installer_%1$s login; create role app_%1$s login".formatted(name));
    database.execute(
        "grant create on database %1$s to installer_%1$s; revoke all on schema public from public"
            .formatted(name));
    // The default privileges of the installer grant no role the use of new objects.
    database.execute(
        "alter default privileges for role installer_%s revoke execute on functions from public"
            .formatted(name));
    database.execute(
        "alter default privileges for role installer_%s revoke usage on types from public"
            .formatted(name));

    PACK.install(database.dataSource("installer_" + name));

    assertThat(PACK.verify(database.dataSource("app_" + name))).isEmpty();
    for (String call :
        List.of(
            "mintmark.ulid()",
            "mintmark.ulid_monotonic()",
            "mintmark.uuidv7()",
            "mintmark.ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K9Z')",
            "(select max(mintmark.ulid_text(id)) from mintmark.ulids(3000) id)",
            "mintmark.prefixed('PM', 123, 6)",
            "mintmark.ulid_min(now())",
            "mintmark.ulid_is_sane(mintmark.ulid())")) {
      assertThat(database.text("app_" + name, "select " + call)).as(call).isNotEmpty();
    }
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.uninstall(database.dataSource("app_" + name)))
        .withMessageContaining("must be owner");
  }

  @Test
  void twoWhoInstallAtOnceDoNotMeet() throws Exception {
    for (String isolation : List.of("read committed", "repeatable read", "serializable")) {
      TestDatabase database = TestServer.NEWEST.createDatabase();
      database.execute(
          "alter database %s set default_transaction_isolation to '%s'"
              .formatted(database.name(), isolation));
      assertTwoInstallAtOnce(database);
    }
  }

  private static void assertTwoInstallAtOnce(TestDatabase database) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    Callable<Installation> install = () -> PACK.install(database.dataSource());
    try {
      List<Future<Installation>> installations = threads.invokeAll(Collections.nCopies(4, install));
      int installed = 0;
      for (Future<Installation> installation : installations) {
        installed += installation.get().differences().isEmpty() ? 0 : 1;
      }
      assertThat(installed).isEqualTo(1);
    } finally {
      threads.shutdown();
    }
  }

  private static TestDatabase installed() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    PACK.install(database.dataSource());
    return database;
  }

  /**
   * Every object of the pack, its definition and its privileges, as the server's catalog has them.
   */
  private static Map<String, String> catalog(TestDatabase database) {
    Map<String, String> catalog = new TreeMap<>();
    database
        .rows(
            """
            select 'function ' || p.oid::regprocedure,
              case prokind
                when 'a' then (select row_to_json(a)::text from pg_aggregate a where aggfnoid = p.oid)
                else pg_get_functiondef(p.oid)
              end || coalesce(proacl::text, '')
            from pg_proc p where pronamespace = 'mintmark'::regnamespace
            union all
            select 'relation ' || c.oid::regclass, relkind::text || coalesce(relacl::text, '') || row_to_json(s)::text
            from pg_class c left join pg_sequence s on s.seqrelid = c.oid where relnamespace = 'mintmark'::regnamespace
            union all
            select 'type ' || t.oid::regtype, coalesce(typacl::text, '') || coalesce(pg_get_constraintdef(c.oid), '')
            from pg_type t left join pg_constraint c on contypid = t.oid where typnamespace = 'mintmark'::regnamespace
            union all
            select 'schema', nspacl::text from pg_namespace where nspname = 'mintmark'
            """)
        .forEach(row -> catalog.put(row.get(0), row.get(1)));
    return catalog;
  }

  /** The number of functions and relations that PostgreSQL itself did not create. */
  private static long objects(TestDatabase database) {
    return database.number(
        "select (select count(*) from pg_proc where oid >= 16384)"
            + " + (select count(*) from pg_class where oid >= 16384 and relkind <> 'i'"
            + " and relnamespace <> 'pg_toast'::regnamespace)");
  }
}
