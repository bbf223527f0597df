package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables gain identifiers beside their keys. */
@Tag("long")
class AddIdentifierColumnTest {
  private static Migrated meats(TestServer server, CollectionSpec.Builder meats, String times) {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table meats (id bigint generated always as identity primary key, name text, made_at %s);
        insert into meats (name, made_at)
        select 'meat ' || n, '2020-01-01T00:00:00Z'::timestamptz at time zone 'UTC' + n * interval '1 second'
        from generate_series(1, 2000) n"""
            .formatted(times));
    return new Migrated(database, meats.table("meats").column("public_id").build());
  }

  @OnServersCsv({"V14, ULID", "V18, ULID", "V14, UUIDV7", "V18, UUIDV7", "V16, UUIDV4"})
  void everyRowGetsItsOwnOfTheTimeItWasMade(TestServer server, Kind kind) throws SQLException {
    Migrated meats =
        meats(
            server, CollectionSpec.builder("meats", kind).created("made_at"), "timestamp not null");

    meats.apply();
    meats.database.execute("insert into meats (name, made_at) values ('new', now())");
    meats.contract();

    assertThat(meats.plan().isEmpty()).isTrue();
    assertThat(meats.database.number("select count(distinct public_id) from meats"))
        .isEqualTo(2001);
    if (kind != Kind.UUIDV4) {
      assertThat(
              meats.database.number(
                  "select count(*) from meats where name <> 'new' and mintmark.ulid_time(public_id) <> made_at at time zone 'UTC'"))
          .isZero();
    }
    assertThat(SchemaText.of(meats.database))
        .contains(
            "4 index CREATE UNIQUE INDEX meats_public_id_key ON public.meats USING btree (public_id) true true")
        .anyMatch(line -> line.startsWith("2 column meats 004 public_id uuid true "));
  }

  @Test
  void oldRowsStayWithoutOneUnlessItIsKnownWhenTheyWereMade() throws SQLException {
    Migrated meats =
        meats(TestServer.NEWEST, CollectionSpec.builder("meats", Kind.ULID), "timestamp");

    meats.apply();
    meats.database.execute("insert into meats (name) values ('new')");

    assertThat(meats.database.rows("select count(*), count(public_id) from meats"))
        .containsExactly(List.of("2001", "1"));
    meats.contract();
    assertThat(meats.plan().isEmpty()).isTrue();
  }

  @Test
  void rowsOfAnUnknownTimeStayWithoutOne() throws SQLException {
    Migrated meats =
        meats(
            TestServer.NEWEST,
            CollectionSpec.builder("meats", Kind.ULID).created("made_at"),
            "timestamp");
    meats.database.execute("update meats set made_at = null where id <= 5");

    meats.apply();

    assertThat(meats.database.rows("select count(*), count(public_id) from meats"))
        .containsExactly(List.of("2000", "1995"));
    meats.contract();
    assertThat(meats.plan().isEmpty()).isTrue();
  }

  @Test
  void whatTheApplicationMintsHasNoDefault() throws SQLException {
    Migrated meats =
        meats(TestServer.NEWEST, CollectionSpec.builder("meats", Kind.NANOID), "timestamp");

    assertThat(meats.plan().notes()).anyMatch(note -> note.contains("the application mints"));
    meats.apply();
    meats.database.execute("insert into meats (name) values ('new')");

    assertThat(meats.database.number("select count(public_id) from meats")).isZero();
  }

  @Test
  void aColumnThatIsThereIsFilledAndKeptUnique() throws SQLException {
    Migrated meats =
        meats(
            TestServer.NEWEST,
            CollectionSpec.builder("meats", Kind.ULID).created("made_at"),
            "timestamp not null");
    meats.database.execute("alter table meats add column public_id uuid");

    meats.apply();
    meats.contract();

    assertThat(meats.database.number("select count(distinct public_id) from meats"))
        .isEqualTo(2000);
    assertThat(meats.plan().isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create unique index on meats (name, public_id)",
        "create unique index on meats (id) include (public_id)",
        "create unique index on meats (public_id) where name <> ''",
        "create unique index on meats (public_id, lower(name))",
      })
  void anIndexThatAlsoHasOtherColumnsDoesNotKeepItUnique(String index) throws SQLException {
    Migrated meats =
        meats(TestServer.NEWEST, CollectionSpec.builder("meats", Kind.ULID), "timestamp");
    meats.database.execute("alter table meats add column public_id uuid; " + index);

    meats.apply();
    meats.contract();

    assertThat(SchemaText.of(meats.database))
        .contains(
            "4 index CREATE UNIQUE INDEX meats_public_id_key ON public.meats USING btree (public_id) true true");
    assertThat(meats.plan().steps()).isEmpty();
  }

  @Test
  void aColumnOfThePrimaryKeyGetsNoSecondIndex() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create table meats (tenant int, public_id uuid default gen_random_uuid(), primary key (tenant, public_id))");
    Migrated meats =
        new Migrated(
            database,
            CollectionSpec.builder("meats", Kind.ULID).table("meats").column("public_id").build());

    assertThat(meats.plan().steps()).extracting(Step::title).isEmpty();
  }

  @Test
  void triggersOfOthersDoNotFireForRowsThatAreFilled() throws SQLException {
    Migrated meats =
        meats(
            TestServer.NEWEST,
            CollectionSpec.builder("meats", Kind.ULID).created("made_at"),
            "timestamp not null");
    meats.database.execute(
        """
        create function refuse() returns trigger language plpgsql as $$ begin raise 'changed'; end $$;
        create trigger frozen before update on meats for each row execute function refuse();
        create trigger audited after update on meats for each row execute function refuse();
        alter table meats disable trigger audited""");

    assertThat(meats.plan().notes()).noneMatch(note -> note.contains("trigger"));
    meats.apply();

    assertThat(meats.database.number("select count(distinct public_id) from meats"))
        .isEqualTo(2000);
  }

  @Test
  void aTriggerThatAlwaysFiresIsNamed() {
    Migrated meats =
        meats(
            TestServer.NEWEST,
            CollectionSpec.builder("meats", Kind.ULID).created("made_at"),
            "timestamp not null");
    meats.database.execute(
        """
        create function refuse() returns trigger language plpgsql as $$ begin raise 'changed'; end $$;
        create trigger frozen before update on meats for each row execute function refuse();
        alter table meats enable always trigger frozen""");

    assertThat(meats.plan().notes())
        .anyMatch(note -> note.startsWith("trigger frozen of public.meats fires for each row"));
  }

  @Test
  void whatIsSaidToReferToAColumnThatIsGainedHasNoEffectAndThatIsSaid() {
    Migrated meats =
        meats(
            TestServer.NEWEST,
            CollectionSpec.builder("meats", Kind.ULID)
                .referencedBy(List.of(CollectionSpec.Reference.parse("file.meat_id"))),
            "timestamp");

    assertThat(meats.plan().notes()).anyMatch(note -> note.contains("has no effect"));
  }

  @Test
  void rollbackLeavesNothing() throws SQLException {
    Migrated meats =
        meats(
            TestServer.NEWEST,
            CollectionSpec.builder("meats", Kind.ULID).created("made_at"),
            "timestamp not null");
    List<String> before = SchemaText.of(meats.database);

    meats.apply();
    meats.rollback();

    assertThat(SchemaText.of(meats.database))
        .filteredOn(line -> !line.contains("mintmark"))
        .isEqualTo(before);
  }

  /** Tables on which a team may start: the column missing, present, half filled and so on. */
  private static List<Start> starts(Kind.Storage storage, String type) {
    List<Start> starts = new ArrayList<>();
    for (Kind kind : List.of(Kind.ULID, Kind.UUIDV7, Kind.UUIDV4)) {
      for (boolean created : List.of(false, true)) {
        for (boolean unique : List.of(false, true)) {
          starts.add(new Start(kind, storage, created, "", unique, 0));
          for (int filled : List.of(0, 5, 10)) {
            starts.add(new Start(kind, storage, created, type, unique, filled));
            if (type.equals("uuid")) {
              starts.add(
                  new Start(
                      kind, storage, created, "uuid default gen_random_uuid()", unique, filled));
            }
          }
          starts.add(new Start(kind, storage, created, type + " not null", unique, 10));
          starts.add(
              new Start(
                  kind,
                  storage,
                  created,
                  type + " not null default gen_random_uuid()",
                  unique,
                  10));
        }
      }
    }
    return starts;
  }

  /**
   * A table with 10 rows, some of which have an identifier.
   *
   * @param column the declaration of the column; empty if it is missing
   */
  private record Start(
      Kind kind, Kind.Storage storage, boolean created, String column, boolean unique, int filled) {
    String sql(String table) {
      String insert = "; insert into %s (made_at) select now() from generate_series(%d, 10)";
      return "create table %s (id serial primary key, made_at timestamptz not null%s)"
              .formatted(table, column.isEmpty() ? "" : ", public_id " + column)
          + (unique && !column.isEmpty()
              ? "; create unique index on %s (public_id)".formatted(table)
              : "")
          + (column.isEmpty()
              ? insert.formatted(table, 1)
              : "; insert into %1$s (made_at, public_id) select now(), case when i <= %2$d then gen_random_uuid() end from generate_series(1, 10) i"
                  .formatted(table, filled));
    }

    CollectionSpec collection(String table) {
      CollectionSpec.Builder collection =
          CollectionSpec.builder(table.replace('_', '-'), kind)
              .storage(storage)
              .table(table)
              .column("public_id");
      return (created ? collection.created("made_at") : collection).build();
    }
  }

  @OnServersCsv({
    "V14, UUID, uuid",
    "V18, UUID, uuid",
    "V14, UUID, text",
    "V18, UUID, text",
    "V18, UUID, varchar(36)",
    "V14, TEXT, text",
    "V18, TEXT, text",
    "V18, TEXT, varchar(36)"
  })
  @Tag("matrix")
  void theSecondPlanIsEmptyWhateverTheTableWas(TestServer server, Kind.Storage storage, String type)
      throws SQLException {
    TestDatabase database = server.createDatabase();
    List<CollectionSpec> collections = new ArrayList<>();
    List<Start> starts = starts(storage, type);
    for (int i = 0; i < starts.size(); i++) {
      database.execute(starts.get(i).sql("t_" + i));
      collections.add(starts.get(i).collection("t_" + i));
    }
    Migrated all = new Migrated(database, collections.toArray(CollectionSpec[]::new));

    all.apply();
    for (int i = 0; i < starts.size(); i++) {
      if (!starts.get(i).column().equals(type + " not null")) {
        database.execute("insert into t_%d (made_at) values (now())".formatted(i));
      }
    }
    all.contract();

    for (int i = 0; i < starts.size(); i++) {
      String table = "t_" + i;
      database.execute("insert into " + table + " (made_at) values (now())");
      assertThat(
              database.text(
                  "select public_id is not null from " + table + " order by id desc limit 1"))
          .as("%s", starts.get(i))
          .isEqualTo("t");
      if (starts.get(i).created()) {
        assertThat(
                database.rows(
                    "select from %s having count(distinct public_id) < count(*)".formatted(table)))
            .as("%s", starts.get(i))
            .isEmpty();
      }
    }
    assertThat(all.plan().steps()).extracting(Step::title).isEmpty();
  }

  @Test
  void aDefaultIsNotSetWhereNoneIsMissing() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table users (id uuid primary key);
        create table profiles (id integer primary key, user_id uuid not null unique references users);
        create domain code as uuid default gen_random_uuid();
        create table codes (id integer primary key, code code unique);
        create table own (id integer primary key, public_id uuid unique default gen_random_uuid())""");
    Migrated all =
        new Migrated(
            database,
            CollectionSpec.builder("users", Kind.UUIDV7).table("users").build(),
            CollectionSpec.builder("profiles", Kind.UUIDV7)
                .table("profiles")
                .column("user_id")
                .build(),
            CollectionSpec.builder("codes", Kind.UUIDV4).table("codes").column("code").build(),
            CollectionSpec.builder("own", Kind.ULID).table("own").column("public_id").build());

    assertThat(all.plan().steps()).extracting(Step::title).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"ULID,", "UUIDV7,", "UUIDV4,", "TYPEID, meat_cut"})
  void textsAreMintedInTheirCanonicalForm(Kind kind, String prefix) throws SQLException {
    CollectionSpec.Builder builder =
        CollectionSpec.builder("meats", kind).storage(Kind.Storage.TEXT).created("made_at");
    CollectionSpec.Builder meats = prefix == null ? builder : builder.prefix(prefix);
    Migrated migrated = meats(TestServer.NEWEST, meats, "timestamptz not null");
    IdType<?> type = IdType.of(meats.build());

    migrated.apply();
    migrated.database.execute("insert into meats (name, made_at) values ('new', now())");

    for (String name : List.of("meat 1", "new")) {
      String text =
          migrated.database.text("select public_id from meats where name = '%s'".formatted(name));
      assertThat(canonical(type, text)).isEqualTo(text);
    }
  }

  private static <T> String canonical(IdType<T> type, String text) {
    return type.format(type.parse(text));
  }

  @Test
  void aTextColumnThatIsTooShortForItsKindIsLeftAsItIs() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create table t (id serial primary key, made date, code varchar(25) unique, at timestamptz)");
    Migrated things =
        new Migrated(
            database,
            CollectionSpec.builder("things", Kind.ULID)
                .storage(Kind.Storage.TEXT)
                .table("t")
                .column("code")
                .created("at")
                .build());

    assertThat(things.plan().steps()).isEmpty();
  }

  @Test
  void anIndexIsNotAddedToAPartitionedTable() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table t (day date, code uuid) partition by range (day)");
    Migrated things =
        new Migrated(
            database,
            CollectionSpec.builder("things", Kind.ULID).table("t").column("code").build());

    assertThat(things.plan())
        .isEqualTo(new MigrationPlan(List.of(), List.of(), List.of(), List.of()));
  }

  @Test
  void theIndexGetsANameThatIsFree() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table t (id serial primary key, code uuid);
        create index t_code_key on t (code);
        create table t_code_key1 ()""");
    Migrated things =
        new Migrated(
            database,
            CollectionSpec.builder("things", Kind.ULID).table("t").column("code").build());

    things.apply();

    assertThat(SchemaText.of(database))
        .contains(
            "4 index CREATE UNIQUE INDEX t_code_key2 ON public.t USING btree (code) true true");
  }

  /** The remedy is followed: the statement that it says is run. */
  @Test
  void aPublishedTableGetsTheColumnByHand() throws SQLException {
    Migrated meats =
        meats(TestServer.NEWEST, CollectionSpec.builder("meats", Kind.ULID), "timestamp");
    meats.database.execute("create publication p for all tables");

    Refusal refusal = meats.plan().refusals().get(0);
    assertThat(refusal.code()).isEqualTo(RefusalCode.PUBLISHED_TABLE);
    assertThat(refusal.remedy())
        .startsWith("add the column at the subscribers, and then here: alter table ");
    meats.database.execute(refusal.remedy().replaceFirst(".*: ", ""));
    meats.apply();
    meats.contract();

    assertThat(meats.plan())
        .isEqualTo(new MigrationPlan(List.of(), List.of(), List.of(), List.of()));
  }

  @Test
  void aDefaultThatWasSetGoesWithARollback() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table t (id serial primary key, public_id uuid unique)");
    Migrated things =
        new Migrated(
            database,
            CollectionSpec.builder("things", Kind.ULID).table("t").column("public_id").build());
    List<String> before = SchemaText.of(database);

    things.apply();
    assertThat(database.rows("insert into t default values returning public_id is null"))
        .containsExactly(List.of("f"));
    things.rollback();

    assertThat(SchemaText.of(database))
        .filteredOn(line -> !line.contains("mintmark") && !line.contains("ulid"))
        .isEqualTo(before);
  }
}
