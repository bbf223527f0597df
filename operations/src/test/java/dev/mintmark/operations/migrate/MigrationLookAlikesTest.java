package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.Kind;
import dev.mintmark.MintDeclaration;
import dev.mintmark.Order;
import dev.mintmark.fixtures.LookAlikes;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions and operators that another role planted on the search path are never called. */
@Tag("slow")
class MigrationLookAlikesTest {
  private static Migrated things(boolean beforePgCatalog) {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema app;
        create table app.texts (
          id text primary key, n integer, check (length(id) < 99));
        create index on app.texts (n, id desc) where id is not null;
        create table app.lines (id text primary key, text_id text not null references app.texts on update cascade);
        create table app.loose (text_ref text);
        create view app.shown as select t.id, l.id as line from app.texts t join app.lines l on l.text_id = t.id;
        create statistics app.both on id, n from app.texts;
        insert into app.texts values
          ('01FZG96YPZK4SANAG1ZM5T2K9Z', 1), (' 01fzg96ypzk4sanag1zm5t2k9-y', 2), ('LEGACY-17', 3), ('', 4);
        insert into app.lines select id, id from app.texts;
        insert into app.loose select id from app.texts;

        create table app.uuids (id varchar(38) primary key);
        insert into app.uuids values ('{017FE093-7ADF-9932-AAAA-01FD0BA14D3F}'), ('legacy-18');

        create table app.numbers (id integer primary key generated always as identity, parent_id smallint references app.numbers);
        create index on app.numbers ((id % 10)) where id > 0;
        create view app.numbered as select id from app.numbers;
        insert into app.numbers (parent_id) values (null), (1);
        create table app.serials (id serial primary key);
        insert into app.serials default values;

        create table app.meats (id bigint primary key, made_at timestamp not null, kept text, public_id text);
        insert into app.meats values (1, '2020-01-01'), (2, '2020-01-02');
        create table app.plants (name varchar(20), part char(3), made timestamptz not null, primary key (name, part));
        insert into app.plants values ('oak', 'a', '2020-01-01'), ('oak', 'b', '2020-01-01'), ('ash', 'c', '2020-01-02')
        """);
    if (beforePgCatalog) {
      LookAlikes.plantBeforePgCatalog(database);
    } else {
      LookAlikes.plantInPublic(database);
    }
    return new Migrated(
        database,
        texts("texts", Kind.ULID, "id")
            .referencedBy(List.of(Reference.parse("app.loose.text_ref")))
            .build(),
        texts("uuids", Kind.UUIDV7, "id").build(),
        texts("numbers", Kind.SEQUENCE, "id").build(),
        texts("serials", Kind.SEQUENCE, "id").build(),
        texts("meats", Kind.ULID, "ulid").table("app.meats").created("made_at").build(),
        texts("meats-v4", Kind.UUIDV4, "v4").table("app.meats").created("made_at").build(),
        texts("meats-id", Kind.TYPEID, "kept")
            .table("app.meats")
            .prefix("meat")
            .storage(Kind.Storage.TEXT)
            .created("made_at")
            .build(),
        texts("plants", Kind.ULID, "now_id")
            .mint(MintDeclaration.NONE.withOldRows(MintDeclaration.OldRows.NOW))
            .build(),
        texts("plants-made", Kind.TYPEID, "made_id")
            .table("app.plants")
            .prefix("plant")
            .storage(Kind.Storage.TEXT)
            .created("made")
            .mint(
                MintDeclaration.NONE
                    .withOrder(Order.ASCENDING)
                    .withOldRows(MintDeclaration.OldRows.CREATED))
            .build(),
        texts("meats-uuid", Kind.UUIDV7, "public_id")
            .table("app.meats")
            .created("made_at")
            .build());
  }

  private static CollectionSpec.Builder texts(String name, Kind kind, String column) {
    return CollectionSpec.builder(name, kind).table("app." + name).column(column);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("long")
  void noStepCallsOne(boolean beforePgCatalog) throws SQLException {
    Migrated things = things(beforePgCatalog);
    TestDatabase database = things.database;

    assertThat(things.plan(InvalidValues.QUARANTINE).refusals()).isEmpty();
    things.apply(InvalidValues.QUARANTINE);
    write(database);
    assertThat(things.migrations.status().orElseThrow().limits()).hasSize(5);
    things.rollback();
    things.apply(InvalidValues.QUARANTINE);
    write(database);
    things.contract();

    assertThat(things.plan().isEmpty()).isTrue();
    assertThat(
            database.number(
                "select 1::bigint from app.texts join mintmark.key_quarantine on key_quarantine.id operator(pg_catalog.=) texts.id limit 1"))
        .isOne();
  }

  /** Through the triggers, as old and new code do. */
  private static void write(TestDatabase database) {
    database.execute(
        """
        set search_path = evil, public, pg_catalog;
        insert into app.texts (id, n) values ('01FZG96YPZK4SANAG1ZM5T2K9W', 5);
        update app.texts set n = 6 where n operator(pg_catalog.=) 5;
        insert into app__new.lines (id, text_id)
        select t.id, t.id from app__new.texts t where t.n operator(pg_catalog.=) 6;
        delete from app.lines where text_id operator(pg_catalog.=) '01FZG96YPZK4SANAG1ZM5T2K9W';
        delete from app.texts where n operator(pg_catalog.=) 6;
        insert into app.numbers (parent_id) values (1);
        insert into app.serials default values""");
  }
}
