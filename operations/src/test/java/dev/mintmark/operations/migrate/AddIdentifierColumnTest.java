package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables gain identifiers beside their keys. */
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
}
