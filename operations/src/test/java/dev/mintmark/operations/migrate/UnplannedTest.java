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
