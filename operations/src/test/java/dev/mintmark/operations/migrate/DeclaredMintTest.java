package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.MintDeclaration;
import dev.mintmark.MintDeclaration.OldRows;
import dev.mintmark.MintDeclaration.Place;
import dev.mintmark.Order;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pack.Pack;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a collection declares of its mints is compared with the defaults of its column. */
@Tag("database")
class DeclaredMintTest {
  private static final MintDeclaration BY_SERVER = MintDeclaration.NONE.withPlace(Place.SERVER);
  private static final MintDeclaration BY_APPLICATION =
      MintDeclaration.NONE.withPlace(Place.APPLICATION);

  private static Migrated things(
      TestDatabase database, Kind kind, Kind.Storage storage, MintDeclaration mint) {
    return new Migrated(
        database,
        CollectionSpec.builder("things", kind).storage(storage).table("things").mint(mint).build());
  }

  private static Migrated things(TestDatabase database, Kind kind, MintDeclaration mint) {
    return things(database, kind, Kind.Storage.UUID, mint);
  }

  private static String defaultOf(TestDatabase database) {
    return database.text(
        "select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'things'::regclass");
  }

  private static List<String> titles(Migrated migrated) {
    return migrated.plan().steps().stream().map(Step::title).toList();
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void aDefaultIsReplacedAndRollbackRestoresIt(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute("create table things (id uuid primary key default gen_random_uuid(), n int)");
    Migrated things = things(database, Kind.UUIDV7, BY_SERVER);
    List<String> before = SchemaText.of(database);

    assertThat(titles(things))
        .last()
        .isEqualTo(
            "replace the default of public.things.id for new rows: gen_random_uuid() becomes mintmark.uuidv7()");
    things.apply();
    assertThat(defaultOf(database)).isEqualTo("mintmark.uuidv7()");
    things.rollback();

    assertThat(SchemaText.of(database))
        .filteredOn(line -> !line.contains("mintmark"))
        .isEqualTo(before);
    assertThat(defaultOf(database)).isEqualTo("gen_random_uuid()");
    things.apply();
    things.contract();
    assertThat(things.plan().isEmpty()).isTrue();
  }

  @Test
  void aFunctionOfTheSameNameInAnotherSchemaIsAnotherFunction() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema team;
        create function team.gen_random_uuid() returns uuid language sql as 'select pg_catalog.gen_random_uuid()';
        create table things (id uuid primary key default team.gen_random_uuid())""");

    assertThat(titles(things(database, Kind.UUIDV4, BY_SERVER)))
        .singleElement()
        .asString()
        .contains("team.gen_random_uuid() becomes gen_random_uuid()");
  }

  @Test
  void aDefaultOfTheTeamStaysUnlessTheServerIsDeclared() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table things (id uuid primary key default gen_random_uuid())");

    assertThat(titles(things(database, Kind.UUIDV7, MintDeclaration.NONE))).isEmpty();
    assertThat(things(database, Kind.UUIDV7, MintDeclaration.NONE).plan().notes()).isEmpty();
    MigrationPlan ordered =
        things(database, Kind.UUIDV7, MintDeclaration.NONE.withOrder(Order.ASCENDING)).plan();
    assertThat(ordered.steps()).isEmpty();
    assertThat(ordered.notes())
        .containsExactly(
            "the default of public.things.id is gen_random_uuid(), which does not mint in the order ascending: declare mint: server to replace it");
    MigrationPlan byApplication = things(database, Kind.UUIDV7, BY_APPLICATION).plan();
    assertThat(byApplication.steps()).isEmpty();
    assertThat(byApplication.notes())
        .containsExactly(
            "public.things.id is declared mint: application and keeps its default: gen_random_uuid()");
  }

  @Test
  void aPrimaryKeyWithoutADefaultGetsOneIfTheServerMints() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table things (id uuid primary key, n int)");

    MigrationPlan nothing = new MigrationPlan(List.of(), List.of(), List.of(), List.of());
    assertThat(things(database, Kind.ULID, MintDeclaration.NONE).plan()).isEqualTo(nothing);
    MigrationPlan ordered =
        things(database, Kind.ULID, MintDeclaration.NONE.withOrder(Order.RANDOM)).plan();
    assertThat(ordered.steps()).isEmpty();
    assertThat(ordered.notes())
        .containsExactly(
            "public.things.id has no default: if the server should mint it, declare mint: server; if the application mints it, mint: application");
    assertThat(things(database, Kind.ULID, BY_APPLICATION).plan()).isEqualTo(nothing);
    Migrated things = things(database, Kind.ULID, BY_SERVER);
    things.apply();
    things.contract();

    assertThat(defaultOf(database)).isEqualTo("mintmark.ulid()");
    assertThat(things.plan().isEmpty()).isTrue();
  }

  /**
   * A default of a collection that the server mints.
   *
   * @param same whether it mints as the collection declares
   */
  private record Default(
      Kind kind, Kind.Storage storage, String existing, Optional<Order> order, boolean same) {}

  private static final List<Default> DEFAULTS =
      List.of(
          new Default(Kind.ULID, Kind.Storage.UUID, "mintmark.ulid()", Optional.empty(), true),
          new Default(
              Kind.ULID, Kind.Storage.UUID, "mintmark.ulid_monotonic()", Optional.empty(), true),
          new Default(Kind.ULID, Kind.Storage.UUID, "uuidv7()", Optional.empty(), true),
          new Default(
              Kind.ULID, Kind.Storage.UUID, "mintmark.ulid()", Optional.of(Order.ASCENDING), false),
          new Default(
              Kind.ULID,
              Kind.Storage.UUID,
              "mintmark.ulid_monotonic()",
              Optional.of(Order.ASCENDING),
              true),
          new Default(
              Kind.ULID,
              Kind.Storage.UUID,
              "mintmark.ulid_monotonic()",
              Optional.of(Order.RANDOM),
              false),
          new Default(Kind.UUIDV7, Kind.Storage.UUID, "uuidv7()", Optional.empty(), true),
          new Default(Kind.UUIDV7, Kind.Storage.UUID, "uuidv7('-01:00')", Optional.empty(), false),
          new Default(
              Kind.UUIDV7, Kind.Storage.UUID, "uuidv7()", Optional.of(Order.ASCENDING), false),
          new Default(
              Kind.UUIDV7,
              Kind.Storage.UUID,
              "mintmark.ulid_monotonic()",
              Optional.of(Order.ASCENDING),
              true),
          new Default(Kind.UUIDV7, Kind.Storage.UUID, "mintmark.ulid()", Optional.empty(), false),
          new Default(Kind.UUIDV4, Kind.Storage.UUID, "uuidv4()", Optional.empty(), false),
          new Default(Kind.UUIDV4, Kind.Storage.UUID, "gen_random_uuid()", Optional.empty(), true),
          new Default(
              Kind.ULID,
              Kind.Storage.TEXT,
              "mintmark.ulid_text(mintmark.ulid())",
              Optional.empty(),
              true),
          new Default(Kind.ULID, Kind.Storage.TEXT, "mintmark.ulid()", Optional.empty(), false),
          new Default(
              Kind.ULID,
              Kind.Storage.TEXT,
              "mintmark.ulid_text(mintmark.ulid_monotonic())",
              Optional.of(Order.ASCENDING),
              true),
          new Default(
              Kind.UUIDV7, Kind.Storage.TEXT, "((uuidv7())::text)", Optional.empty(), true));

  @Test
  void defaultsAreComparedByTheirFunctions() throws SQLException {
    TestDatabase database = TestServer.V18.createDatabase();
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    List<CollectionSpec> collections = new ArrayList<>();
    List<String> replaced = new ArrayList<>();
    for (int i = 0; i < DEFAULTS.size(); i++) {
      Default each = DEFAULTS.get(i);
      database.execute(
          "create table t%d (id %s primary key default %s)"
              .formatted(
                  i,
                  each.storage() == Kind.Storage.TEXT ? "varchar(60)" : "uuid",
                  each.existing()));
      collections.add(
          CollectionSpec.builder("t" + i, each.kind())
              .storage(each.storage())
              .table("t" + i)
              .mint(new MintDeclaration(Optional.of(Place.SERVER), each.order(), Optional.empty()))
              .build());
      if (!each.same()) {
        replaced.add("public.t" + i);
      }
    }
    Migrated all = new Migrated(database, collections.toArray(CollectionSpec[]::new));

    assertThat(all.plan().steps()).extracting(Step::target).containsExactlyElementsOf(replaced);
    all.apply();
    all.contract();
    assertThat(all.plan().isEmpty()).isTrue();
  }

  @Test
  void aTextThatTheServerMintsAscends() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table things (id text primary key default 'x', n int)");
    Migrated things = things(database, Kind.ULID, Kind.Storage.TEXT, BY_SERVER);

    things.apply();
    database.execute("insert into things (n) select n from generate_series(1, 500) n");

    assertThat(defaultOf(database)).isEqualTo("mintmark.ulid_text(mintmark.ulid_monotonic())");
    assertThat(
            database.rows(
                "select from (select id, lag(id) over (order by n) as before from things) t where before >= id"))
        .isEmpty();
  }

  @Test
  void aTextKeyThatBecomesAUuidGetsTheDeclaredMint() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table things (id text primary key default gen_random_uuid()::text, n int);
        insert into things (n) select n from generate_series(1, 10) n""");
    Migrated things = things(database, Kind.UUIDV7, BY_SERVER.withOrder(Order.ASCENDING));

    things.apply();
    things.contract();

    assertThat(defaultOf(database)).isEqualTo("mintmark.ulid_monotonic()");
    assertThat(things.plan().isEmpty()).isTrue();
  }

  @Test
  void whatCannotHaveTheDefaultIsRefused() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table users (id uuid primary key);
        create table things (id uuid primary key references users);
        create table codes (id varchar(25) primary key);
        create table days (id uuid, day date) partition by range (day)""");

    assertThat(refusals(things(database, Kind.UUIDV7, BY_SERVER)))
        .containsExactly(RefusalCode.MINT_BY_SERVER);
    assertThat(refusals(server(database, "codes", Kind.Storage.TEXT)))
        .containsExactly(RefusalCode.MINT_BY_SERVER);
    assertThat(refusals(server(database, "days", Kind.Storage.UUID)))
        .containsExactly(RefusalCode.PARTITIONED_TABLE);
  }

  private static Migrated server(TestDatabase database, String table, Kind.Storage storage) {
    return new Migrated(
        database,
        CollectionSpec.builder(table, Kind.ULID)
            .storage(storage)
            .table(table)
            .mint(BY_SERVER)
            .build());
  }

  private static List<RefusalCode> refusals(Migrated migrated) {
    return migrated.plan().refusals().stream().map(Refusal::code).toList();
  }

  private static Migrated meats(
      TestDatabase database, String key, Kind kind, Kind.Storage storage, OldRows rows) {
    database.execute(
        """
        create table meats (%s, n integer, made timestamptz not null);
        insert into meats (n, made)
        select n, '2020-01-01T00:00:00Z'::timestamptz + (n / 700) * interval '1 second'
        from generate_series(1, 3000) n order by n"""
            .formatted(key));
    return new Migrated(
        database,
        CollectionSpec.builder("meats", kind)
            .storage(storage)
            .table("meats")
            .column("public_id")
            .created("made")
            .mint(MintDeclaration.NONE.withOldRows(rows))
            .build());
  }

  /** The last times that there are: of a ULID, and of what counts those of one millisecond. */
  @ParameterizedTest
  @CsvSource({
    "id serial primary key, 3084-12-12",
    "id numeric primary key default random(), 10889-08-02"
  })
  void aTimeWithoutEndBecomesTheLastOne(String key, String last) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    Migrated meats = meats(database, key, Kind.UUIDV7, Kind.Storage.UUID, OldRows.CREATED);
    database.execute(
        "update meats set made = case n when 1 then 'infinity' when 2 then '-infinity' when 3 then '294000-01-01' end::timestamptz where n < 4");

    meats.apply();

    assertThat(
            database.rows(
                "select mintmark.uuid_time(public_id)::date::text from meats where n < 4 order by n"))
        .containsExactly(List.of(last), List.of("1970-01-01"), List.of(last));
  }

  @OnServersCsv({
    "V14, id serial primary key, id, UUID, NOW",
    "V18, id serial primary key, id, UUID, NOW",
    "V14, id serial primary key, id, TEXT, CREATED",
    "V18, id serial primary key, id, UUID, CREATED",
    "V18, id text collate \"C\" primary key default mintmark.ulid_text(mintmark.ulid_monotonic()), id, UUID, CREATED",
    "V18, id uuid primary key default gen_random_uuid(), id, TEXT, NOW",
    "V18, a bigint default 7 * random(); b char(36) default gen_random_uuid(); primary key (a; b), a; b, UUID, NOW"
  })
  void oldRowsGetIdentifiersInTheOrderOfTheKey(
      TestServer server, String key, String order, Kind.Storage storage, OldRows rows)
      throws SQLException {
    TestDatabase database = server.createDatabase();
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    Migrated meats = meats(database, key.replace(';', ','), Kind.ULID, storage, rows);

    meats.apply();
    meats.contract();

    assertThat(database.number("select count(distinct public_id) from meats")).isEqualTo(3000);
    String ordered = (rows == OldRows.CREATED ? "made, " : "") + order.replace(';', ',');
    assertThat(
            database.number(
                "select count(*) from (select public_id, lag(public_id) over (order by %s) as before from meats) t where before >= public_id"
                    .formatted(ordered)))
        .isZero();
    if (rows == OldRows.CREATED) {
      String id = storage == Kind.Storage.TEXT ? "mintmark.ulid_uuid(public_id)" : "public_id";
      assertThat(
              database.number(
                  "select count(*) from meats where mintmark.ulid_time(%s) <> made".formatted(id)))
          .isZero();
    } else {
      assertThat(
              database.number(
                  "select count(*) from meats where abs(extract(epoch from clock_timestamp() - mintmark.ulid_time(%s))) < 3600"
                      .formatted(
                          storage == Kind.Storage.TEXT
                              ? "mintmark.ulid_uuid(public_id)"
                              : "public_id")))
          .isEqualTo(3000);
    }
    assertThat(meats.plan().isEmpty()).isTrue();
    assertThat(SchemaText.of(database))
        .anyMatch(line -> line.contains("public_id") && line.contains(" true "));
  }

  @Test
  void oldRowsStayAsTheyAreIfNoneIsDeclared() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Migrated meats =
        meats(database, "id serial primary key", Kind.ULID, Kind.Storage.UUID, OldRows.NONE);

    meats.apply();
    meats.contract();
    database.execute("insert into meats (made) values (now())");

    assertThat(database.number("select count(public_id) from meats")).isEqualTo(1);
    assertThat(meats.plan().isEmpty()).isTrue();
  }

  @Test
  void aTableWithoutAKeyIsFilledInNoOrderAndThePlanStatesThat() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Migrated meats = meats(database, "id serial", Kind.ULID, Kind.Storage.UUID, OldRows.NOW);

    assertThat(meats.plan().notes()).anyMatch(note -> note.contains("in no order"));
    meats.apply();
    meats.contract();

    assertThat(database.number("select count(distinct public_id) from meats")).isEqualTo(3000);
    assertThat(meats.plan().isEmpty()).isTrue();
  }

  /** Another session holds rows in the middle: the order holds nevertheless, and it never waits. */
  @Test
  void lockedRowsAreFilledInTheirPlace() throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Migrated meats =
        meats(database, "id serial primary key", Kind.ULID, Kind.Storage.UUID, OldRows.NOW);
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    database.execute(
        "alter table meats add column public_id uuid; alter table meats alter column public_id set default mintmark.ulid()");
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("update meats set n = -n where id between 1200 and 1300");
      CompletableFuture<Void> run =
          CompletableFuture.runAsync(
              () -> {
                try {
                  meats.apply();
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              ThreadPerTask.EXECUTOR);
      while (!run.isDone()
          && database.number("select count(public_id) from meats where id < 1200") < 1199) {
        Thread.sleep(10);
      }
      assertThat(database.number("select count(public_id) from meats where id > 1200")).isZero();
      other.commit();
      run.get(Patience.MAX.toSeconds(), TimeUnit.SECONDS);
    }

    assertThat(
            database.number(
                "select count(*) from (select public_id, lag(public_id) over (order by id) as before from meats) t where before >= public_id or public_id is null"))
        .isZero();
  }

  /** Rows are changed between the moment that a batch sees and the one in which it locks them. */
  @Test
  void rowsThatAreChangedMeanwhileAreFilledInTheirPlace() throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Migrated meats =
        meats(database, "id serial primary key", Kind.ULID, Kind.Storage.UUID, OldRows.NOW);
    MigrationPlan plan = meats.plan();
    CompletableFuture<Void> run =
        CompletableFuture.runAsync(
            () -> {
              try {
                meats.migrations.apply(plan, Migrated.PACE, MigrationListener.SILENT);
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            },
            ThreadPerTask.EXECUTOR);
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      while (!run.isDone()) {
        statement.execute("update meats set n = -n where id % 100 = 0");
      }
    }
    run.get(Patience.MAX.toSeconds(), TimeUnit.SECONDS);

    assertThat(database.number("select count(*) from meats where public_id is null")).isZero();
    assertThat(
            database.number(
                "select count(*) from (select public_id, lag(public_id) over (order by id) as before from meats) t where before >= public_id"))
        .isZero();
  }
}
