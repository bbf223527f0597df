package dev.mintmark.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.Keyring;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.LookAlikes;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.jdbc.BinaryCopy;
import dev.mintmark.postgres.pack.DropIn;
import dev.mintmark.postgres.pack.DropInState;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pack.Removal;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.PageJoin;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.page.PageRequest;
import dev.mintmark.postgres.page.RowCondition;
import dev.mintmark.postgres.page.XidColumn;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.numbers.RefillResult;
import dev.mintmark.postgres.pool.numbers.SequenceFeed;
import dev.mintmark.postgres.search.Search;
import dev.mintmark.postgres.search.SearchTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions and operators that another role planted on the search path are never called. */
@Tag("long")
class LookAlikesTest {
  private static final byte[] SECRET =
      "a secret of the test, not of anyone".getBytes(StandardCharsets.US_ASCII);

  private static final Pack PACK = Pack.inSchema(Pack.SCHEMA);

  @Test
  void thePlantedFunctionsAreCalledByCarelessStatements() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    LookAlikes.plantInPublic(database);
    assertThatThrownBy(() -> database.number("select unnest(array[1, 2]::bigint[])"))
        .hasMessageContaining("look-alike unnest");
    assertThatThrownBy(() -> database.number("select 1 where 'pg_class'::regclass = 1259::oid"))
        .hasMessageContaining("look-alike operator");

    LookAlikes.plantBeforePgCatalog(database);
    assertThatThrownBy(() -> database.text("select now()")).hasMessageContaining("look-alike now");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thePackCallsNone(boolean isFirst) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    if (isFirst) {
      LookAlikes.plantWithOperatorsBeforePgCatalog(database);
    } else {
      LookAlikes.plantInPublic(database);
    }

    database.execute(PACK.sql());
    assertThat(PACK.install(database.dataSource()).differences()).isEmpty();
    assertThat(PACK.verify(database.dataSource())).isEmpty();
    for (String call :
        List.of(
            "mintmark.ulid()",
            "mintmark.uuidv7()",
            "mintmark.ulid_monotonic()",
            "mintmark.ulids(5000)",
            "mintmark.ulid_text('017fe093-7adf-9932-aaaa-01fd0ba14d3f')",
            "mintmark.ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K9Z')",
            "mintmark.try_ulid_uuid('x')",
            "mintmark.ulid_time('017fe093-7adf-9932-aaaa-01fd0ba14d3f')",
            "mintmark.ulid_min('2026-01-01 00:00:00+00')",
            "mintmark.ulid_max('2026-01-01 00:00:00+00')",
            "mintmark.ulid_is_sane(mintmark.ulid())",
            "mintmark.prefixed('PM', 123, 6)",
            "mintmark.unprefixed('PM', 'PM000123')",
            "mintmark.ulid('2026-01-01 00:00:00+00')",
            "mintmark.typeid_text('user', '017fe093-7adf-9932-aaaa-01fd0ba14d3f')",
            "mintmark.typeid_uuid('user_01h455vb4pex5vsknk084sn02q')",
            "mintmark.try_typeid_uuid('x')",
            "mintmark.nanoid(255)",
            "mintmark.min(mintmark.ulid()), mintmark.max(mintmark.ulid())",
            "mintmark.ulid_prefix_min('01FZ'), mintmark.ulid_prefix_max('01FZ')",
            "mintmark.uuid_prefix_min('01-7f'), mintmark.uuid_prefix_max('01-7f')",
            "mintmark.begins_with(mintmark.ulid(), '01')",
            "mintmark.uuid_time_low(mintmark.ulid()), mintmark.uuid_time_mid(mintmark.ulid())",
            "mintmark.uuid_time_hi_version(mintmark.ulid()), mintmark.uuid_clock_seq(mintmark.ulid())",
            "mintmark.uuid_clock_seq_hi_variant(mintmark.ulid()), mintmark.uuid_clock_seq_low(mintmark.ulid())",
            "mintmark.uuid_node(mintmark.ulid()), mintmark.uuid_version(mintmark.ulid())",
            "mintmark.uuid_variant(mintmark.ulid())",
            "mintmark.uuid_time('c232ab00-9414-11ec-b3c8-9f6bdeced846')",
            "mintmark.puri('a', 'b', 'c d'), mintmark.puri('a', 'b', 5), mintmark.puri('a', 'b', mintmark.ulid())",
            "mintmark.puri_namespace('a:b:c%20d'), mintmark.puri_collection('a:b:c%20d')",
            "mintmark.puri_identifier('a:b:c%20d'), mintmark.puri_canonical('A:b:c%20d')",
            "mintmark.try_puri_parts('a:b:%ff')",
            "mintmark.pack_version()")) {
      database.execute("select " + call);
    }
    assertThatThrownBy(() -> database.text("select mintmark.ulid_uuid('01FZ\u0007U')"))
        .hasMessageContaining("malformed ULID \"01FZ\\u0007U\"");
    assertThatThrownBy(() -> database.text("select mintmark.ulid_min('1960-01-01')"))
        .hasMessageContaining("time 1960-01-01");
    assertThatThrownBy(() -> database.text("select mintmark.prefixed('9', 1, 6)"))
        .hasMessageContaining("malformed prefix");
    assertThatThrownBy(() -> database.text("select mintmark.typeid_uuid('us\u0007er_x')"))
        .hasMessageContaining("malformed TypeID \"us\\u0007er_x\"");
    assertThatThrownBy(() -> database.text("select mintmark.typeid_text('9', mintmark.ulid())"))
        .hasMessageContaining("malformed prefix");
    assertThatThrownBy(() -> database.text("select mintmark.nanoid(0)"))
        .hasMessageContaining("expected 1 to 255");
    assertThatThrownBy(() -> database.text("select mintmark.unprefixed('PM', 'x')"))
        .hasMessageContaining("malformed sequence id");
    assertThatThrownBy(() -> database.text("select mintmark.puri_namespace('a:b:%ff')"))
        .hasMessageContaining("are not UTF-8");
    assertThatThrownBy(() -> database.text("select mintmark.puri('', 'b', 'c')"))
        .hasMessageContaining("its namespace is empty");
    database.execute(
        """
        create table paged (id uuid primary key default mintmark.ulid());
        insert into paged default values;
        call mintmark.page_horizon('paged', null);
        drop table paged;
        """);
    database.execute(
        "create function public.own() returns text language sql return '01FZG96YPZK4SANAG1ZM5T2K9Z'");
    DropIn dropIn = PACK.dropIn("public.own");
    assertThat(dropIn.install(database.dataSource()).function()).isEqualTo("public.own()");
    assertThat(dropIn.uninstall(database.dataSource())).isInstanceOf(DropInState.Replaceable.class);
    database.execute(dropIn.sql());
    assertThat(PACK.dropIns(database.dataSource())).isEqualTo(Map.of("public.own()", true));
    dropIn.uninstall(database.dataSource());
    assertThat(PACK.uninstall(database.dataSource())).isInstanceOf(Removal.Removed.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void pagesSearchAndCopiesCallNone(boolean isFirst) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema app;
        create table app.tracks (
          id uuid primary key default uuidv7(), xid xid8 not null default pg_current_xact_id(), name text);
        create unique index on app.tracks (xid, id);
        create table app.notes (track uuid, note text);
        """);
    if (isFirst) {
      LookAlikes.plantBeforePgCatalog(database);
    } else {
      LookAlikes.plantInPublic(database);
    }
    UUID id = UUID.fromString("017fe093-7adf-7932-aaaa-01fd0ba14d3f");
    try (Connection connection = database.dataSource().getConnection()) {
      try (BinaryCopy copy = BinaryCopy.into(connection, "app.tracks", "id", "name")) {
        copy.write(id, "Tanaka Fox");
        copy.finish();
      }
      for (PageOrder order :
          List.of(
              PageOrder.byMintedId("id"),
              PageOrder.byTransaction("xid", "id"),
              PageOrder.byWindow("xid", "id"),
              PageOrder.plain(PageOrder.ascending("id")))) {
        KeysetPages<String> pages =
            KeysetPages.of("app.tracks")
                .orderedBy(order)
                .signedWith(Keyring.of('a', SECRET))
                .reading(List.of("name"), row -> row.getString("name"));
        var page = pages.read(connection, PageRequest.first(1));
        assertThat(page.rows()).as("%s", order).containsExactly("Tanaka Fox");
        assertThat(pages.read(connection, PageRequest.after(page.after(), 1)).rows()).isEmpty();
      }
      SearchTable tracks =
          SearchTable.of("app.tracks")
              .columns("#id", "name", "^name", "=name", "@name", "$name")
              .join(SearchTable.of("app.notes").columns("note"), "track", "id");
      for (Search search : List.of(Search.of(tracks), Search.of(tracks.key("id")))) {
        for (String text : List.of(id.toString(), "tanaka", "fo", "^017fe", "\"tanaka fox\"")) {
          assertThat(
                  search.descendingBy("id").find(connection, text, 1, row -> row.getString("name")))
              .as(text)
              .containsExactly("Tanaka Fox");
        }
      }
    }
  }

  /** Operators of varchar, enums and arrays fit better than PostgreSQL's own. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void pagesByColumnsOfAnyTypeCallNone(boolean isFirst) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema app;
        create type public.mood as enum ('bad', 'good');
        create table app.albums (code varchar(9) primary key, title text);
        insert into app.albums values ('x', 'Album');
        create table app.tracks (
          id uuid primary key default uuidv7(), xid xid8 not null default pg_current_xact_id(),
          tenant varchar(9) not null, mood public.mood not null, tags text[] not null, place varchar(9) not null, album varchar(9), name text);
        create unique index on app.tracks (xid, id);
        insert into app.tracks (tenant, mood, tags, place, album, name) values
          ('acme', 'good', '{a}', 'p', 'x', 'First'), ('acme', 'bad', '{a}', 'q', 'x', 'Second');
        """);
    if (isFirst) {
      LookAlikes.plantWithOperatorsBeforePgCatalog(database);
    } else {
      LookAlikes.plantInPublic(database);
    }
    assertThatThrownBy(() -> database.text("select name from app.tracks where tenant = place"))
        .hasMessageContaining("look-alike operator");
    assertThatThrownBy(() -> database.text("select name from app.tracks where mood = mood"))
        .hasMessageContaining("look-alike operator");
    try (Connection connection = database.dataSource().getConnection()) {
      for (PageOrder order :
          List.of(
              PageOrder.byMintedId("id"),
              PageOrder.byTransaction("xid", "id"),
              PageOrder.byWindow("xid", "id"),
              PageOrder.plain(
                  PageOrder.ascending("place"),
                  PageOrder.ascending("mood"),
                  PageOrder.ascending("id")),
              PageOrder.plain(
                  PageOrder.ascending("place"),
                  PageOrder.descending("mood"),
                  PageOrder.ascending("id")))) {
        KeysetPages<String> pages =
            KeysetPages.of("app.tracks")
                .scopedBy("tenant", "tags")
                .where(RowCondition.in("mood", "good", "bad"))
                .where(RowCondition.in("album", "x", "y"))
                .where(RowCondition.in("tags", "{a}", "{b}"))
                .where(RowCondition.of("place", RowCondition.Operator.AT_LEAST, "a"))
                .joining(PageJoin.to("app.albums").on("code", "album").column("title"))
                .orderedBy(order)
                .signedWith(Keyring.of('a', SECRET))
                .reading(
                    List.of("name"), row -> row.getString("name") + " " + row.getString("title"));
        pages.checkTable(database.dataSource());
        assertThat(pages.lag(connection).holders()).isEmpty();
        var first = pages.read(connection, in(PageRequest.first(1)));
        assertThat(first.rows()).as("%s", order).containsExactly("First Album");
        var second = pages.read(connection, in(PageRequest.after(first.after(), 1)));
        assertThat(second.rows()).as("%s", order).containsExactly("Second Album");
        if (!(order instanceof PageOrder.Window)) {
          assertThat(pages.read(connection, in(PageRequest.before(second.before(), 1))).rows())
              .containsExactly("First Album");
        }
      }
      assertThat(new XidColumn("app.tracks", "xid").restamp(connection, 10)).isZero();
    }
  }

  private static PageRequest in(PageRequest request) {
    return request.in("tenant", "acme").in("tags", "{a}");
  }

  /** The script runs without a transaction, as in psql, and in one, as Flyway runs it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSequenceFeedCallsNone(boolean isFirst) throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create sequence public.orders_id_seq");
    if (isFirst) {
      LookAlikes.plantWithOperatorsBeforePgCatalog(database);
      database.execute("create domain evil.text as varchar(3)");
    } else {
      LookAlikes.plantInPublic(database);
    }
    String script = resource(SequenceFeed.MIGRATIONS + "/R__sequence_feed.sql");

    database.execute(script);
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      String before = path(statement);
      statement.execute(script);
      assertThat(path(statement)).as("of what follows in the transaction").isEqualTo(before);
      connection.commit();
    }
    try (Pools pools = Pools.over(TestDatabase.create().dataSource())) {
      pools.create(PoolSpec.of("orders", List.of(Block.parse("1..9000 by 1000"))));
      SequenceFeed feed =
          SequenceFeed.of(pools.open("orders"), database.dataSource(), "public.orders_id_seq");

      assertThat(feed.refill()).isInstanceOf(RefillResult.Moved.class);
      assertThat(feed.refill()).isInstanceOf(RefillResult.Sufficient.class);
      assertThat(feed.refillFresh()).isInstanceOf(RefillResult.Moved.class);
    }
    database.execute(
        """
        set search_path = pg_catalog;
        do $$ begin
          assert not exists (
            select from pg_attribute a
            join pg_type t on t.oid = a.atttypid
            where a.attrelid in ('mintmark.sequence_feed'::regclass, 'mintmark.sequence_run'::regclass)
              and t.typnamespace <> 'pg_catalog'::regnamespace), 'a type of another schema';
        end $$
        """);
    assertThatThrownBy(
            () ->
                database.execute(
                    "set search_path = pg_catalog;"
                        + "update mintmark.sequence_run set last_number = first_number - 1"))
        .hasMessageContaining("sequence_run_check");
  }

  private static String path(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("show search_path")) {
      assertThat(row.next()).isTrue();
      return row.getString(1);
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream file = LookAlikesTest.class.getResourceAsStream("/" + name)) {
      return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
