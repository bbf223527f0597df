package dev.mintmark.postgres.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.DropInState.Absent;
import dev.mintmark.postgres.pack.DropInState.InPlace;
import dev.mintmark.postgres.pack.DropInState.Refused;
import dev.mintmark.postgres.pack.DropInState.Replaceable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Functions of users that the pack replaces in place and restores. */
@Tag("slow")
class DropInTest {
  private static final Pack PACK = Pack.inSchema(Pack.SCHEMA);

  /** Functions in the ways of writing them, each returning an upper-case ULID. */
  private static final List<String> DEFINITIONS =
      List.of(
          """
          create function generate_ulid() returns text as $$
          declare
            shown text := '01FZG96YPZK4SANAG1ZM5T2K9Z'; -- $function$ and a \\ and a ?
          begin
            return shown;
          end
          $$ language plpgsql
          """,
          "create function generate_ulid() returns text language sql as 'select ''01FZG96YPZK4SANAG1ZM5T2K9Z'''",
          """
          create function generate_ulid() returns text language sql stable parallel safe cost 7
          begin atomic
            select case when count(*) > 0 then E'\\\\;' else '' end from pg_class where false;
            select '01FZG96YPZK4SANAG1ZM5T2K9Z'::text;
          end
          """,
          "create function generate_ulid() returns text language sql immutable return '01FZG96YPZK4SANAG1ZM5T2K9Z'",
          """
          create function generate_ulid() returns text strict security definer
            set search_path to 'public', 'pg_temp' set work_mem to '5MB'
            language plpgsql as $$ begin return '01FZG96YPZK4SANAG1ZM5T2K9Z'; end $$
          """);

  @OnServers
  void theFunctionIsRestoredExactly(TestServer server) throws SQLException {
    for (String definition : DEFINITIONS) {
      String comment =
          definition.contains("plpgsql") ? "'mints; it''s \\ ours\n-- second line'" : "null";
      TestDatabase database = server.createDatabase();
      database.execute(definition);
      database.execute("comment on function generate_ulid() is " + comment);
      database.execute("revoke execute on function generate_ulid() from public");
      List<List<String>> before = function(database);

      InPlace installed = PACK.dropIn("generate_ulid").install(database.dataSource());
      List<List<String>> between = function(database);
      DropInState restored = PACK.dropIn("generate_ulid").uninstall(database.dataSource());

      assertThat(installed.function()).isEqualTo("public.generate_ulid()");
      assertThat(between.get(0).subList(0, 3))
          .as("owner, grants and volatility")
          .isEqualTo(before.get(0).subList(0, 3));
      assertThat(between).isNotEqualTo(before);
      assertThat(restored).isInstanceOf(Replaceable.class);
      assertThat(function(database)).as(definition + comment).isEqualTo(before);
    }
  }

  /** Owner, grants, volatility, definition and comment. */
  private static List<List<String>> function(TestDatabase database) {
    return database.rows(
        """
        select proowner, proacl, provolatile, pg_get_functiondef(oid), obj_description(oid, 'pg_proc')
        from pg_proc where proname = 'generate_ulid'
        """);
  }

  @Test
  void rowsOfATransactionAreInOrderAfterIt() throws SQLException {
    TestDatabase database = withRandomMint();
    database.execute(
        "create table users (n int generated always as identity, id text primary key default generate_ulid())");
    String descents =
        "select count(*) from (select id < lag(id) over (order by n) as is_less from users) u where is_less";
    database.execute("insert into users select from generate_series(1, 200)");
    assertThat(database.number(descents)).as("before").isPositive();
    database.execute("truncate users");

    PACK.dropIn("generate_ulid").install(database.dataSource());
    database.execute("insert into users select from generate_series(1, 200)");

    assertThat(database.number(descents)).isZero();
    assertThat(
            database.number(
                "select count(*) from users where id ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'"))
        .isEqualTo(200);
    assertThat(database.text("select pg_get_functiondef('generate_ulid()'::regprocedure)"))
        .contains("RETURN mintmark.ulid_text(mintmark.ulid_monotonic())");
  }

  /** As the function of the article: the time of the transaction, and random digits. */
  private static TestDatabase withRandomMint() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create function generate_ulid() returns text language sql volatile as $$
          select '01FZG96YPZ' || upper(translate(substr(md5(random()::text), 1, 16), 'ilou', 'ABCD'))
        $$
        """);
    return database;
  }

  @Test
  void whatUsesTheFunctionIsShownAndStays() throws SQLException {
    TestDatabase database = withRandomMint();
    database.execute(
        """
        create table users (id text primary key default generate_ulid());
        create view fresh as select generate_ulid() as id;
        create function wrapped() returns text language sql return generate_ulid();
        create table wrapping (id text default wrapped());
        create function mentioning() returns text language sql as 'select generate_ulid()';
        """);

    Replaceable found = (Replaceable) PACK.dropIn("generate_ulid").look(database.dataSource());
    assertThat(database.number("select count(*) from pg_namespace where nspname = 'mintmark'"))
        .as("looking changes nothing")
        .isZero();
    PACK.dropIn("generate_ulid").install(database.dataSource(), found);

    assertThat(found.dependents())
        .containsExactly(
            "default value for column id of table public.users",
            "default value for column id of table public.wrapping",
            "function public.wrapped()",
            "rule _RETURN on view public.fresh");
    assertThat(found.mentions()).containsExactly("function public.mentioning()");
    assertThat(found.definition()).contains("md5(random()::text)");
    assertThat(found.sample()).hasSize(26);
    assertThat(found.changes()).singleElement().asString().contains("25006");
    assertThat(database.text("insert into users default values returning id"))
        .isLessThan(database.text("insert into wrapping default values returning id"))
        .startsWith("01");
    assertThat(PACK.uninstall(database.dataSource()))
        .isEqualTo(new Removal.StillUsed(List.of("function public.generate_ulid()")));
  }

  @OnServers
  void whatKeepsItsValuesPreventsIt(TestServer server) throws SQLException {
    for (String statements :
        List.of(
            "create table t (a text); create index i on t ((a || generate_ulid())) -- index public.i",
            "create table t (a text, b text generated always as (generate_ulid()) stored) -- generated column b of table public.t",
            "create table t (a text, b text generated always as (generate_ulid()) stored) partition by list (a)"
                + " -- generated column b of table public.t",
            "create table t (a text) partition by list ((a || generate_ulid())) -- partition key of table public.t",
            "create function f() returns text immutable language sql return generate_ulid();"
                + " create table t (a text); create index i on t ((a || f())) -- index public.i")) {
      assertPrevented(server, statements);
    }
  }

  private static void assertPrevented(TestServer server, String statements) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(DEFINITIONS.get(3));
    String[] parts = statements.split(" -- ", 2);
    database.execute(parts[0]);
    List<List<String>> before = function(database);

    DropInState state = PACK.dropIn("generate_ulid").look(database.dataSource());

    assertThat(state).isInstanceOf(Refused.class);
    assertThat(((Refused) state).reasons())
        .singleElement()
        .asString()
        .startsWith("it is used by ")
        .endsWith(parts[1]);
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.dropIn("generate_ulid").install(database.dataSource()));
    PACK.install(database.dataSource());
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> database.execute(PACK.dropIn("generate_ulid").sql()))
        .withStackTraceContaining("it is used by");
    assertThat(function(database)).isEqualTo(before);
  }

  @Test
  void otherFormsAreRefused() throws SQLException {
    assertRefused(
        "text", "select 'x'", "generate_ulid", "it returned \"x\": expected an upper-case ULID");
    assertRefused(
        "text",
        "select '01fzg96ypzk4sanag1zm5t2k9z'",
        "generate_ulid",
        "expected an upper-case ULID");
    assertRefused("text", "select null::text", "generate_ulid", "it returned \"null\"");
    assertRefused(
        "uuid", "select gen_random_uuid()", "generate_ulid", "it returns uuid: expected text");
    assertRefused(
        "text", "select '01FZG96YPZK4SANAG1ZM5T2K9Z'", "generate_ulid:uuid", "expected uuid");
    assertRefused(
        "setof text", "select '01FZG96YPZK4SANAG1ZM5T2K9Z'", "generate_ulid", "returns SETOF text");
  }

  private static void assertRefused(String result, String body, String function, String reason)
      throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create function generate_ulid() returns %s language sql as $$%s$$"
            .formatted(result, body));

    DropInState state = PACK.dropIn(function).look(database.dataSource());

    assertThat(state).as(body).isInstanceOf(Refused.class);
    assertThat(((Refused) state).reasons()).singleElement().asString().contains(reason);
  }

  @Test
  void aFunctionThatReturnsUuidIsReplacedByName() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create function generate_ulid() returns uuid language sql as 'select gen_random_uuid()'");

    InPlace done = PACK.dropIn("generate_ulid:uuid").install(database.dataSource());

    assertThat(done.restores().orElseThrow()).contains("select gen_random_uuid()");
    assertThat(
            database.text(
                "select generate_ulid() < generate_ulid() and generate_ulid() < generate_ulid()"))
        .isEqualTo("t");
  }

  @Test
  void onlyTheOwnerMayReplaceIt() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String owner = database.name() + "_owner";
    database.execute(
        """
        create role %1$s login createdb;
        grant create on database %2$s to %1$s;
        create schema app authorization %1$s;
        create function app.generate_ulid() returns text language sql return '01FZG96YPZK4SANAG1ZM5T2K9Z';
        alter function app.generate_ulid() owner to %1$s;
        """
            .formatted(owner, database.name()));
    DropIn dropIn = PACK.dropIn("app.generate_ulid");

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> dropIn.install(database.dataSource()))
        .withMessageContaining("it belongs to the role " + owner + ": connect as that role");
    PACK.install(database.dataSource());
    InPlace done = dropIn.install(database.dataSource(owner));
    assertThat(done.reasons()).isEmpty();
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> dropIn.uninstall(database.dataSource()))
        .withMessageContaining("it belongs to the role " + owner);
    assertThat(dropIn.uninstall(database.dataSource(owner))).isInstanceOf(Replaceable.class);
  }

  @Test
  void theNameIsLookedUpOnThePathAndMustBeUnique() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema app;
        create schema tools;
        create function tools.digits() returns text language sql return 'SANAG1ZM5T2K9Z';
        create function app.generate_ulid() returns text language plpgsql as 'begin return ''01FZG96YPZK4'' || digits(); end';
        create function app.generate_ulid(int) returns text language sql return 'x';
        """);
    Absent absent = (Absent) PACK.dropIn("generate_ulid").look(database.dataSource());
    assertThat(absent.others())
        .containsExactly(
            "app.generate_ulid() returns text", "app.generate_ulid(integer) returns text");
    assertThat(absent.statement())
        .isEqualTo(
            "create function \"generate_ulid\"() returns text language sql volatile parallel unsafe"
                + " return \"mintmark\".ulid_text(\"mintmark\".ulid_monotonic());");

    database.execute(
        "alter database %s set search_path to app, tools, public".formatted(database.name()));
    assertThat(PACK.dropIn("generate_ulid").install(database.dataSource()).function())
        .isEqualTo("app.generate_ulid()");
    assertThat(
            ((Replaceable) PACK.dropIn("generate_ulid").uninstall(database.dataSource())).sample())
        .as("the path is that of a new connection")
        .isEqualTo("01FZG96YPZK4SANAG1ZM5T2K9Z");

    database.execute(DEFINITIONS.get(0).replace("function gen", "function public.gen"));
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> PACK.dropIn("generate_ulid").look(database.dataSource()))
        .withMessageContaining("app.generate_ulid(), public.generate_ulid()");
    assertThat(PACK.dropIn("public.generate_ulid").look(database.dataSource()))
        .isInstanceOf(Replaceable.class);
    database.execute(absent.statement().replace("\"generate_ulid\"", "tools.other"));
  }

  @Test
  void theScriptDoesTheSame() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(DEFINITIONS.get(0));
    database.execute("comment on function generate_ulid() is 'ours'");
    List<List<String>> before = function(database);
    DropIn dropIn = PACK.dropIn("generate_ulid");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> database.execute(PACK.dropIn("missing").sql()))
        .withStackTraceContaining("Hint: Create it: create function \"missing\"()");

    PACK.install(database.dataSource());
    database.execute(dropIn.sql());
    List<List<String>> between = function(database);
    database.execute(dropIn.sql());

    assertThat(function(database)).isEqualTo(between).isNotEqualTo(before);
    assertThat(PACK.dropIns(database.dataSource()))
        .isEqualTo(Map.of("public.generate_ulid()", true));
    String comment = database.text("select obj_description('generate_ulid()'::regprocedure)");
    assertThat(comment)
        .as("psql runs each statement at its semicolon, the one that replaces the record at last")
        .startsWith("-- Mintmark drop-in 2: ")
        .contains("\nCREATE OR REPLACE FUNCTION public.generate_ulid()\n")
        .endsWith("$functionx$;\ncomment on function public.generate_ulid() is 'ours';\n");
    database.execute(comment);
    assertThat(function(database)).as("the comment pasted into psql").isEqualTo(before);
  }

  @OnServers
  void theScriptRunsWithAnySettings(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(DEFINITIONS.get(0));
    PACK.install(database.dataSource());
    List<List<String>> before = function(database);
    String quotes = "alter database %s set quote_all_identifiers to ".formatted(database.name());
    DropIn dropIn = PACK.dropIn("generate_ulid");

    database.execute(quotes + "on");
    database.execute(dropIn.sql());
    List<List<String>> between = function(database);
    database.execute(dropIn.sql());
    assertThat(function(database)).as("run again").isEqualTo(between);
    database.execute(quotes + "off");
    dropIn.uninstall(database.dataSource());

    assertThat(function(database)).isEqualTo(before);
  }

  @OnServers
  void aFunctionThatWasRenamedIsRestoredUnderItsPresentName(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute("create schema app");
    database.execute(DEFINITIONS.get(1));
    database.execute("comment on function generate_ulid() is 'ours'");
    PACK.dropIn("generate_ulid").install(database.dataSource());
    database.execute(
        "alter function generate_ulid() rename to mint_it; alter function mint_it() set schema app");
    database.execute(DEFINITIONS.get(3));
    List<List<String>> another = function(database);

    assertThat(PACK.dropIn("app.mint_it").uninstall(database.dataSource()))
        .isInstanceOf(Replaceable.class);

    assertThat(function(database)).isEqualTo(another);
    assertThat(
            database.rows(
                """
                select prosrc, obj_description(oid, 'pg_proc') from pg_proc where proname = 'mint_it'
                """))
        .containsExactly(List.of("select '01FZG96YPZK4SANAG1ZM5T2K9Z'", "ours"));
  }

  @Test
  void aRecordThatDoesNotRestoreIsReported() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(DEFINITIONS.get(1));
    DropIn dropIn = PACK.dropIn("generate_ulid");
    dropIn.install(database.dataSource());
    String definition = function(database).get(0).get(3);
    database.execute(
        """
        comment on function generate_ulid() is $record$-- Mintmark drop-in 2: x
        -- %d characters restore the function, the others its comment.
        %scomment on function public.generate_ulid() is 'ours';
        $record$
        """
            .formatted(definition.length(), definition));
    List<List<String>> before = function(database);

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> dropIn.uninstall(database.dataSource()))
        .withMessageContaining("its comment does not restore it");
    assertThat(function(database)).isEqualTo(before);
  }

  @Test
  void theDropInOfAPackInAnotherSchemaKeepsTheRecord() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(DEFINITIONS.get(0));
    database.execute("comment on function generate_ulid() is 'ours'");
    List<List<String>> before = function(database);
    DropIn other = Pack.inSchema("other").dropIn("generate_ulid");

    PACK.dropIn("generate_ulid").install(database.dataSource());
    other.install(database.dataSource());
    assertThat(function(database).get(0).get(3)).contains("other.ulid_monotonic()");
    other.uninstall(database.dataSource());

    assertThat(function(database)).isEqualTo(before);
  }

  /** It has the comment first, and no semicolon after the function. */
  @Test
  void aRecordOfVersion1IsRead() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(DEFINITIONS.get(0));
    database.execute("comment on function generate_ulid() is 'ours'");
    List<List<String>> before = function(database);
    String definition = before.get(0).get(3);
    String comment = "comment on function public.generate_ulid() is 'ours';\n";
    DropIn dropIn = PACK.dropIn("generate_ulid");
    dropIn.install(database.dataSource());
    database.execute(
        """
        comment on function generate_ulid() is $record$-- Mintmark drop-in 1: x
        -- %d characters restore the comment, the others the function.
        %s%s$record$
        """
            .formatted(comment.length(), comment, definition));

    assertThat(PACK.dropIns(database.dataSource()))
        .isEqualTo(Map.of("public.generate_ulid()", true));
    dropIn.uninstall(database.dataSource());

    assertThat(function(database)).isEqualTo(before);
  }

  @Test
  void aDropInThatAnotherProgramReplacedIsReported() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(DEFINITIONS.get(0));
    database.execute("comment on function generate_ulid() is 'ours'");
    DropIn dropIn = PACK.dropIn("generate_ulid");
    dropIn.install(database.dataSource());
    database.execute(DEFINITIONS.get(1).replace("create function", "create or replace function"));

    Map<String, Boolean> found = PACK.dropIns(database.dataSource());
    dropIn.install(database.dataSource());
    dropIn.uninstall(database.dataSource());

    assertThat(found).isEqualTo(Map.of("public.generate_ulid()", false));
    assertThat(function(database).get(0).get(3)).contains("LANGUAGE sql");
    assertThat(function(database).get(0).get(4)).isEqualTo("ours");
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> dropIn.uninstall(database.dataSource()))
        .withMessageContaining("nothing to restore");
  }

  @Test
  void aLostRecordIsReported() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(DEFINITIONS.get(0));
    DropIn dropIn = PACK.dropIn("generate_ulid");
    dropIn.install(database.dataSource());
    database.execute("comment on function generate_ulid() is 'another'");

    assertThat(dropIn.look(database.dataSource()))
        .isEqualTo(new InPlace("public.generate_ulid()", java.util.Optional.empty(), List.of()));
    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> dropIn.uninstall(database.dataSource()))
        .withMessageContaining("no longer the record");
  }

  @Test
  void aFunctionThatChangedAfterItWasShownStays() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(DEFINITIONS.get(0));
    DropIn dropIn = PACK.dropIn("generate_ulid");
    Replaceable shown = (Replaceable) dropIn.look(database.dataSource());
    database.execute(DEFINITIONS.get(1).replace("create function", "create or replace function"));

    assertThatExceptionOfType(PackException.class)
        .isThrownBy(() -> dropIn.install(database.dataSource(), shown))
        .withMessageContaining("it was changed in the meantime");
  }

  @Test
  void writersNeitherFailNorWaitWhileItIsReplaced() throws Exception {
    TestDatabase database = withRandomMint();
    database.execute("create table users (id text primary key default generate_ulid())");
    PACK.install(database.dataSource());
    AtomicBoolean isDone = new AtomicBoolean();
    AtomicLong inserted = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> writers =
          List.of(
              threads.submit(() -> insert(database, isDone, inserted)),
              threads.submit(() -> insert(database, isDone, inserted)));
      for (int i = 0; i < 20; i++) {
        PACK.dropIn("generate_ulid").install(database.dataSource());
        await(inserted, writers);
        PACK.dropIn("generate_ulid").uninstall(database.dataSource());
        await(inserted, writers);
      }
      isDone.set(true);
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      isDone.set(true);
      threads.shutdownNow();
    }
    assertThat(database.number("select count(*) from users")).isEqualTo(inserted.get());
  }

  /** Waits until the writers have inserted some rows more, or one of them has failed. */
  private static void await(AtomicLong inserted, List<Future<?>> writers) {
    long from = inserted.get();
    while (inserted.get() < from + 10 && writers.stream().noneMatch(Future::isDone)) {
      Thread.onSpinWait();
    }
  }

  private static long insert(TestDatabase database, AtomicBoolean isDone, AtomicLong inserted)
      throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("insert into users default values")) {
      while (!isDone.get()) {
        statement.executeUpdate();
        inserted.incrementAndGet();
      }
      return inserted.get();
    }
  }

  @Test
  void malformedNamesAreRefused() {
    for (String name :
        List.of(
            "",
            "a:b",
            "generate_ulid()",
            "generate_ulid():uuid",
            "generate_ulid(",
            "generate_ulid'",
            "a$b",
            "a\\b",
            ".a",
            "a.",
            "x:text:varchar")) {
      assertThatIllegalArgumentException().as(name).isThrownBy(() -> PACK.dropIn(name));
    }
  }
}
