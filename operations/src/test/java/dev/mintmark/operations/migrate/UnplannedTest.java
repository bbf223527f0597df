package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.List;
import java.util.TimeZone;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made, changed or dropped while a migration runs or bakes. */
@Tag("slow")
class UnplannedTest {
  private static Migrated things(String sql) {
    return things("integer", Kind.SEQUENCE, sql);
  }

  private static Migrated texts(String sql) {
    return things("text", Kind.ULID, sql);
  }

  private static Migrated things(String type, Kind kind, String sql) {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table t (id " + type + " primary key, note text);" + sql);
    return new Migrated(database, CollectionSpec.builder("t", kind).table("t").build());
  }

  private static void resume(Migrated things) throws SQLException {
    things.migrations.resume(Migrated.PACE, MigrationListener.SILENT);
  }

  private static void apply(Migrated things, MigrationPlan plan) throws SQLException {
    things.migrations.apply(plan, Migrated.PACE, MigrationListener.SILENT);
  }

  /** What was written meanwhile has the old value of the other column. */
  private static final String WRITE_WITHOUT_TRIGGER =
      "alter table %1$s disable trigger user; update %1$s set note = 'new'; alter table %1$s enable trigger user";

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTriggerThatWasDisabledEndsTheSwitch(boolean isText) throws SQLException {
    Migrated things = isText ? texts("") : things("");
    MigrationListener disabling =
        new MigrationListener() {
          @Override
          public void started(Step step, StepPosition position) {
            if (step.title().startsWith("switch ")) {
              things.database.execute(WRITE_WITHOUT_TRIGGER.formatted("t"));
            }
          }
        };

    assertThatThrownBy(() -> things.migrations.apply(things.plan(), Migrated.PACE, disabling))
        .hasMessageContaining(
            "trigger zzz_mintmark_sync of public.t is missing or was disabled after it was made")
        .hasMessageContaining("roll back and plan again");
    things.rollback();
    things.apply();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTriggerThatWasDisabledEndsTheContractionAndTheRollback(boolean isText) throws SQLException {
    Migrated things = isText ? texts("") : things("");
    String table = isText ? "public__new.t" : "public.t";
    things.apply();
    things.database.execute(WRITE_WITHOUT_TRIGGER.formatted(table));

    for (ThrowingCallable run : List.<ThrowingCallable>of(things::contract, things::rollback)) {
      assertThatThrownBy(run)
          .hasMessageContaining("trigger zzz_mintmark_sync of " + table + " is missing or")
          .hasMessageContaining("correct the rows whose columns differ");
    }
    things.database.execute("alter table " + table + " enable always trigger zzz_mintmark_sync");
    resume(things);

    assertThat(things.migrations.status().orElseThrow().state())
        .isEqualTo(MigrationState.ROLLED_BACK);
  }

  /** What was made since the plan would go with the old column, or with the new one. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create index i on t (note, id)                                 | index public.i
          alter table t add constraint c check (id > 0)                  | constraint c on table public.t
          alter table t add constraint c unique (id, note)               | constraint c on table public.t
          create policy p on t using (id > 0)                            | policy p on table public.t
          create statistics s on id, note from t                         | statistics object public.s
          create view w as select id from t                              | view public.w
          create table r (t_id integer references t)                     | constraint r_t_id_fkey on table public.r
          create trigger g before update of id on t for each row execute function nothing() | trigger g on table public.t
          """)
  void whatWasMadeSinceThePlanIsNotLost(String sql, String object) throws SQLException {
    String before =
        "create function nothing() returns trigger language plpgsql as 'begin return new; end'";
    String named = object + " uses column id of table public.t and was created after the plan";
    Migrated early = things(before);
    MigrationPlan plan = early.plan();
    early.database.execute(sql);
    assertThatThrownBy(() -> apply(early, plan)).hasMessageContaining(named);
    early.rollback();
    assertThat(exists(early, object)).isTrue();

    Migrated baking = things(before);
    baking.apply();
    baking.database.execute(sql.replace("integer references", "bigint references"));
    assertThatThrownBy(baking::rollback).hasMessageContaining(named);
    assertThat(baking.migrations.status().orElseThrow().state())
        .isEqualTo(MigrationState.ROLLING_BACK);
    assertThat(exists(baking, object)).isTrue();
  }

  private static boolean exists(Migrated things, String object) {
    return things.database.value(
        "select exists (select from pg_depend where pg_describe_object(classid, objid, 0) = '%s')"
            .formatted(object.replace("public.", "")),
        Boolean.class);
  }

  @Test
  void whatWasMadeForTheOldColumnIsNotDroppedWithIt() throws SQLException {
    Migrated things = things("");
    things.apply();
    things.database.execute("create index i on t (id__old)");

    assertThatThrownBy(things::contract)
        .hasMessageContaining("index public.i uses column id__old of table public.t");
    things.database.execute("drop index i; create index i on t (id)");
    resume(things);

    assertThat(things.database.number("select count(*) from pg_indexes where indexname = 'i'"))
        .isOne();
  }

  /** The switch, and its rollback, would put back what the plan knows. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the default of column id of table public.t          | alter table t alter id set default nextval('other')   | alter table t alter id set default nextval('t_id_seq')
          the list of privileges on column id of table public.t | grant select (id) on t to public                    | revoke select (id) on t from public
          the comment on column id of table public.t          | comment on column t.id is 'new'                       | comment on column t.id is null
          sequence public.i_id_seq of column id of table public.i | alter sequence i_id_seq increment 10              | alter sequence i_id_seq increment 1
          sequence public.i_id_seq of column id of table public.i | alter sequence i_id_seq cache 50                  | alter sequence i_id_seq cache 1
          the list of privileges on sequence public.i_id_seq  | grant usage on sequence i_id_seq to public            | revoke usage on sequence i_id_seq from public
          the identity of column id of table public.i         | alter table i alter id set generated always           | alter table i alter id set generated by default
          the not-null constraint of column t_id of table public.r | alter table r alter t_id set not null            | alter table r alter t_id drop not null
          """)
  void whatWasSetSinceThePlanIsNotPutBack(String object, String change, String undone)
      throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create sequence other start 1000;
        create table t (id serial primary key);
        create table i (id integer generated by default as identity primary key);
        create table r (t_id integer default 7 references t)""");
    Migrated things =
        new Migrated(
            database,
            CollectionSpec.builder("t", Kind.SEQUENCE).table("t").build(),
            CollectionSpec.builder("i", Kind.SEQUENCE).table("i").build());
    MigrationPlan plan = things.plan();
    database.execute(change);
    assertThatThrownBy(() -> apply(things, plan))
        .hasMessageContaining(object + " was changed after the plan from ");
    database.execute(undone);
    resume(things);

    database.execute(change);
    assertThatThrownBy(things::rollback)
        .hasMessageContaining(object + " was changed after the plan from ");
    database.execute(undone);
    resume(things);

    assertThat(things.migrations.status().orElseThrow().state())
        .isEqualTo(MigrationState.ROLLED_BACK);
  }

  @Test
  void aCommentOnAConstraintSinceThePlanIsNotLost() throws SQLException {
    Migrated things = things("");
    MigrationPlan plan = things.plan();
    things.database.execute("comment on constraint t_pkey on t is 'new'");

    assertThatThrownBy(() -> apply(things, plan))
        .hasMessageContaining(
            "the comment on constraint t_pkey on table public.t was added after the plan");
  }

  /** A view with what the plan knows of the table would take its place. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the row security of table public.t was changed after the plan from "disabled" to "enabled" | alter table t enable row level security | alter table t disable row level security
          the list of privileges on table public.t was changed after the plan from "public INSERT" to "public INSERT, public SELECT" | grant select on t to public | revoke select on t from public
          the list of privileges on table public.t was changed after the plan from "public INSERT" to "" | revoke insert on t from public | grant insert on t to public
          the list of privileges on column note of table public.t was changed | grant select (note) on t to public | revoke select (note) on t from public
          the owner of table public.t was changed             | alter table t owner to pg_monitor                     | alter table t owner to current_user
          the comment on table public.t was changed           | comment on table t is 'new'                           | comment on table t is null
          the comment on column note of table public.t was changed | comment on column t.note is 'new'                | comment on column t.note is null
          column more of table public.t was added             | alter table t add more integer                        | alter table t drop more
          column note of table public.t was dropped or renamed | alter table t drop note                              | alter table t add note text
          column note of table public.t was dropped or renamed | alter table t rename note to remark                  | alter table t rename remark to note
          """)
  void aViewInPlaceOfATableIsNotMadeAsTheTableWas(String fault, String change, String undone)
      throws SQLException {
    Migrated things = texts("grant insert on t to public");
    MigrationPlan plan = things.plan();
    things.database.execute(change);
    assertThatThrownBy(() -> apply(things, plan)).hasMessageContaining(fault);
    things.database.execute(undone);
    resume(things);
    things.rollback();

    MigrationPlan again = things.plan();
    things.database.execute(change);
    assertThatThrownBy(() -> apply(things, again)).hasMessageContaining(fault);
    things.rollback();
    things.apply();
    things.contract();

    assertThat(things.migrations.status().orElseThrow().state())
        .isEqualTo(MigrationState.CONTRACTED);
  }

  @Test
  void aColumnThatThePlanAddsIsKnown() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table t (id text primary key)");
    Migrated things =
        new Migrated(
            database,
            CollectionSpec.builder("t", Kind.ULID).table("t").build(),
            CollectionSpec.builder("p", Kind.UUIDV4).table("t").column("public_id").build());
    things.apply();

    assertThat(things.migrations.status().orElseThrow().state()).isEqualTo(MigrationState.BAKING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create or replace view v as select id, note, 1 as one from t",
        "grant select on v to public",
        "comment on view v is 'new'",
        "alter view v set (security_barrier)",
        "grant select (id) on v to public",
        "comment on column v.id is 'new'",
        "alter view v alter note set default 'x'",
        "create rule r as on delete to v do instead nothing",
        "create trigger g instead of insert on v for each row execute function nothing()",
        "drop view v"
      })
  void aViewThatWasChangedSinceThePlanIsNotPutBack(String change) throws SQLException {
    String view = "create view v as select id, note from t where id + 1 > coalesce(id, 0)";
    Migrated early =
        things(
            "create function nothing() returns trigger language plpgsql as 'begin return new; end';"
                + view);
    MigrationPlan plan = early.plan();
    early.database.execute(change);
    assertThatThrownBy(() -> apply(early, plan)).hasMessageContaining("view public.v was ");

    early.database.execute("drop view if exists v; " + view);
    resume(early);
    early.database.execute(change);
    assertThatThrownBy(early::rollback).hasMessageContaining("view public.v was ");
    early.database.execute("drop view if exists v; " + view);
    resume(early);

    assertThat(
            early.database.text(
                "select pg_typeof(id)::text from (values (1)) x left join v on true"))
        .isEqualTo("integer");
  }

  @Test
  void textKeysLoseNothingEither() throws SQLException {
    Migrated early = texts("");
    MigrationPlan plan = early.plan();
    early.database.execute("create index i on t (note, id)");
    assertThatThrownBy(() -> apply(early, plan))
        .hasMessageContaining("index public.i uses column id of table public.t");
    early.database.execute("drop index i");
    resume(early);

    early.database.execute("create view w as select note from t");
    for (ThrowingCallable end : List.<ThrowingCallable>of(early::contract, early::rollback)) {
      assertThatThrownBy(end)
          .hasMessageContaining("view public.w uses column note of view public.t");
    }
    early.database.execute("drop view w");
    resume(early);
    assertThat(
            early.database.text(
                "select pg_typeof(id)::text from (values (1)) x left join t on true"))
        .isEqualTo("text");
  }

  /** Such as of another machine that goes on with the migration. */
  @Test
  void theTimeZoneOfASessionChangesNothing() throws SQLException {
    Migrated things =
        things(
            "create view v as select id from t where now() > '2020-01-01 00:00:00+00'::timestamptz");
    MigrationPlan plan = things.plan();
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
      assertThat(things.plan()).isEqualTo(plan);
      apply(things, plan);
      TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
      things.rollback();
    } finally {
      TimeZone.setDefault(before);
    }

    assertThat(things.migrations.status().orElseThrow().state())
        .isEqualTo(MigrationState.ROLLED_BACK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grant select on t to public",
        "grant select (note) on t to public",
        "comment on view t is 'new'"
      })
  void whatIsGrantedOnAViewInPlaceOfATableIsNotLost(String change) throws SQLException {
    Migrated things = texts("comment on table t is 'old'; grant insert on t to public");
    things.apply();
    things.database.execute(change);

    for (ThrowingCallable end : List.<ThrowingCallable>of(things::contract, things::rollback)) {
      assertThatThrownBy(end).hasMessageContaining("view \"public\".\"t\" was changed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"grant select on v to public", "comment on view v is 'new'", "drop view v"})
  void aViewOfTextKeysThatWasChangedIsNotPutBack(String change) throws SQLException {
    String view = "create view v as select id, note from t";
    Migrated things = texts(view);
    things.apply();
    things.database.execute(change);

    assertThatThrownBy(things::contract).hasMessageContaining("view public.v was ");
    things.rollback();

    assertThat(things.database.number("select count(*) from pg_class where relname = 'v'"))
        .isEqualTo(change.startsWith("drop") ? 0 : 1);
  }
}
