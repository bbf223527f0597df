package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.operations.internal.schema.Index.Constraint;
import dev.mintmark.operations.internal.schema.Index.ConstraintKind;
import dev.mintmark.operations.internal.schema.Index.Timing;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements with names that need quotes, done and undone on a server. */
@Tag("database")
class DdlTest {
  private static final String TABLE = "\"Shop's\".\"%s t\"";
  private static final String KEY = "a key's";

  private static final String SCHEMA =
      """
      create schema "Shop's";
      create sequence "Shop's".numbers as integer;
      create table "Shop's"."%s t" (
        "a key's" integer,
        "a note" text default 'none',
        constraint "is it" check ("a key's" > 0) not valid);
      create unique index "an index" on "Shop's"."%s t" ("a key's");
      alter sequence "Shop's".numbers owned by "Shop's"."%s t"."a note";
      create function f() returns trigger language plpgsql as 'begin return new; end';
      """;

  private static Stream<Ddl> changes() {
    String sequence = "\"Shop's\".numbers";
    return Stream.of(
        Ddl.addColumns(TABLE, List.of("x y", "\"z\""), "uuid"),
        Ddl.renameColumn(TABLE, KEY, "a key"),
        Ddl.setDefault(TABLE, KEY, "7"),
        Ddl.setDefault(TABLE, "a note", "'none'::text").inverse(),
        Ddl.setNotNull(TABLE, KEY),
        Ddl.addConstraint(TABLE, "a check", "check (1 < 2)"),
        Ddl.notValidCheck(TABLE, "a check", KEY),
        Ddl.notValidNotNull(TABLE, "a check", KEY),
        Ddl.renameConstraint(TABLE, "is it", "it is"),
        Ddl.renameIndex("Shop's", "an index", "the index"),
        Ddl.createTrigger(
            TABLE,
            "a trigger",
            List.of(
                "create trigger \"a trigger\" before insert on "
                    + TABLE
                    + " for each row execute function f()")),
        Ddl.ownSequence(sequence, TABLE, KEY, "a note"),
        Ddl.addColumns(TABLE, List.of("x"), "uuid").and(Ddl.setDefault(TABLE, KEY, "7")));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void undoLeavesTheSchemaAsItWas(Ddl ddl) {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(SCHEMA);
    List<String> before = SchemaText.of(database);

    ddl.apply().forEach(database::execute);
    List<String> after = SchemaText.of(database);
    ddl.undo().forEach(database::execute);

    assertThat(after).isNotEqualTo(before);
    assertThat(SchemaText.of(database)).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aKeyTakesAnIndex(ConstraintKind kind, Timing timing) {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(SCHEMA);
    Ddl key = Ddl.addKey(TABLE, new Constraint("a key", kind, timing), "an index");

    key.apply().forEach(database::execute);
    assertThat(
            database.rows(
                "select contype::text, condeferrable, condeferred from pg_constraint where conname = 'a key'"))
        .containsExactly(
            List.of(
                kind == ConstraintKind.UNIQUE ? "u" : "p",
                timing == Timing.AT_ONCE ? "f" : "t",
                timing == Timing.INITIALLY_DEFERRED ? "t" : "f"));
    key.undo().forEach(database::execute);

    assertThat(database.number("select count(*) from pg_constraint where conname = 'a key'"))
        .isZero();
  }

  private static Stream<Arguments> keys() {
    return Stream.of(ConstraintKind.PRIMARY_KEY, ConstraintKind.UNIQUE)
        .flatMap(kind -> Stream.of(Timing.values()).map(timing -> Arguments.of(kind, timing)));
  }
}
