package dev.mintmark.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.Kind;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.operations.doctor.CatalogDraft.Remark;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class CatalogDraftTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @OnServers({TestServer.V14, TestServer.V18})
  void collectionsAreDraftedAsTheirTablesAre(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table meats (id uuid primary key default gen_random_uuid());
        create table "MenuItems" (id text primary key);
        create table bills (no int primary key generated always as identity);
        create table payments (id bigserial primary key);
        create table tweets (id bigint primary key);
        create domain email as text;
        create table people (mail email primary key);
        create table users (id varchar(40) primary key);
        create table visits (at date, id uuid default gen_random_uuid(), primary key (at, id));
        create table notes (text text);
        create table prices (amount numeric primary key);
        create schema shop;
        create table shop.meats (id uuid primary key);
        create table events (id uuid primary key) partition by hash (id);
        create table events_0 partition of events for values with (modulus 1, remainder 0);
        create table "a.b" (id uuid primary key);
        create schema mintmark;
        create table mintmark.pool (id bigint primary key);
        create temporary table scratch (id bigint primary key);
        insert into "MenuItems" values ('01FZG96YPZK4SANAG1ZM5T2K9Z'), ('01fzg96ypzk4sanag1zm5t2k9y');
        insert into users values ('user_01h455vb4pex5vsknk084sn02q');
        insert into people values ('bob@example.org');
        insert into events values ('017fe093-7adf-74b2-a558-f0fd4a5a4d3f');
        """);

    CatalogDraft draft = CatalogDraft.of(database.dataSource());

    assertThat(draft.catalog().namespace()).isEqualTo(database.name());
    assertThat(draft.catalog().collections())
        .containsExactly(
            of("menu-items", Kind.ULID).table("MenuItems").storage(Kind.Storage.TEXT).build(),
            of("bills", Kind.SEQUENCE).narrow(true).table("bills").column("no").build(),
            of("events", Kind.UUIDV7).table("events").build(),
            of("meats", Kind.UUIDV4).table("meats").build(),
            of("payments", Kind.SEQUENCE).table("payments").build(),
            of("people", Kind.TEXT).table("people").column("mail").caseSensitive(true).build(),
            of("tweets", Kind.SEQUENCE).table("tweets").build(),
            of("users", Kind.TYPEID)
                .prefix("user")
                .table("users")
                .storage(Kind.Storage.TEXT)
                .build(),
            of("shop-meats", Kind.UUIDV4).table("shop.meats").build());
    assertThat(draft.remarks())
        .containsExactly(
            leftOut("a.b", "a catalog cannot have these names"),
            leftOut("notes", "it has no primary key"),
            leftOut("prices", "its key \"amount\" is of type numeric, which no kind is kept in"),
            leftOut("visits", "its primary key has several columns: \"at\", \"id\""),
            remark(
                "tweets",
                "no sequence makes it: if the application makes Snowflakes, say kind: snowflake"),
            remark(
                "shop-meats",
                "no rows and no default to derive the kind from: say what makes them"));
  }

  @Test
  void referencesAreDeclaredWhereAllValuesAreFound() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table orders (id bigint primary key generated always as identity, parent_id bigint, order_id bigint);
        create table order_lines (
          id bigint primary key generated always as identity,
          order_id bigint references orders,
          "ordersId" bigint);
        create table refunds (id bigint generated always as identity, order_id bigint, line_id bigint);
        create table parcels (order_id bigint);
        create table invoices (order_id int);
        create table stories (id uuid primary key);
        create table storys (id uuid primary key);
        create table pages (story_id uuid);
        create table categories (category_id bigint primary key generated always as identity);
        create table menus (category_id bigint, "categoryID" bigint);
        create schema shop;
        create table addresses (id bigint primary key);
        create table shop.addresses (id bigint primary key generated always as identity);
        create table shop.customers (address_id bigint);
        insert into orders (parent_id) select null from generate_series(1, 3);
        insert into order_lines (order_id, "ordersId") values (1, 1);
        insert into refunds (order_id) values (1), (2), (7), (null);
        insert into categories default values;
        insert into menus values (1, null);
        insert into shop.addresses default values;
        insert into shop.customers values (1);
        """);

    CatalogDraft draft = CatalogDraft.of(database.dataSource());

    assertThat(draft.catalog().collection("orders").orElseThrow().referencedBy())
        .containsExactly(new Reference("order_lines", "ordersId"));
    assertThat(draft.catalog().collection("categories").orElseThrow().referencedBy())
        .containsExactly(new Reference("menus", "category_id"));
    assertThat(draft.catalog().collection("shop-addresses").orElseThrow().referencedBy())
        .containsExactly(new Reference("shop.customers", "address_id"));
    assertThat(draft.remarks())
        .contains(
            remark("categories", called("menus.categoryID", "there are no values to compare")),
            remark("orders", called("orders.order_id", "there are no values to compare")),
            remark("orders", called("parcels.order_id", "there are no values to compare")),
            remark("orders", called("refunds.order_id", "1 of 3 values are not there")))
        .contains(remark("stories", called("pages.story_id", "it is to \"storys\" too")))
        .noneMatch(remark -> remark.text().contains("invoices.order_id"))
        .noneMatch(remark -> remark.text().contains("line_id"));
  }

  @Test
  void keysOfDomainsOverDomainsAreDrafted() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create domain number as bigint;
        create domain order_number as number;
        create sequence numbers;
        create table orders (id order_number primary key default nextval('numbers'));
        create table bills (id integer primary key, order_id order_number);
        create domain any_uuid as uuid;
        create domain meat_id as any_uuid;
        create table meats (id meat_id primary key default gen_random_uuid());
        insert into orders default values;
        insert into bills values (1, 1);
        """);

    assertThat(CatalogDraft.of(database.dataSource()).catalog().collections())
        .containsExactly(
            of("bills", Kind.SEQUENCE).narrow(true).table("bills").build(),
            of("meats", Kind.UUIDV4).table("meats").build(),
            of("orders", Kind.SEQUENCE)
                .table("orders")
                .referencedBy(List.of(new Reference("bills", "order_id")))
                .build());
  }

  @Test
  void narrowerColumnsThatAForeignKeyConnectsAreTold() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create domain number as smallint;
        create table regions (id number primary key);
        create table shops (id bigint primary key references regions);
        create table orders (id int primary key, shop_id int references shops, parent_id int references orders);
        create schema old;
        create table old.orders (shop_id bigint references shops, old_shop_id int references shops);
        """);

    assertThat(CatalogDraft.of(database.dataSource()).remarks())
        .filteredOn(remark -> remark.text().contains("foreign key"))
        .containsExactly(
            remark("shops", widened("old.orders.old_shop_id")),
            remark("shops", widened("orders.shop_id")),
            remark("shops", widened("regions.id")));
  }

  @Test
  void roleIsToldWhatItMayNotRead() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table meats (id uuid primary key);
        create table menus (meat_id uuid);
        insert into meats values ('017fe093-7adf-74b2-a558-f0fd4a5a4d3f');
        insert into menus select id from meats;
        drop role if exists draft_reader;
        create role draft_reader login;
        """);

    CatalogDraft blind = CatalogDraft.of(database.dataSource("draft_reader"));
    database.execute("grant select on menus to draft_reader");
    CatalogDraft half = CatalogDraft.of(database.dataSource("draft_reader"));

    assertThat(blind.catalog().collections())
        .containsExactly(of("meats", Kind.UUIDV4).table("meats").build());
    assertThat(blind.remarks())
        .contains(
            remark("meats", called("menus.meat_id", "its values cannot be read by this role")));
    assertThat(half.remarks())
        .contains(
            remark(
                "meats",
                called(
                    "menus.meat_id",
                    "its values could not be looked up: ERROR: permission denied for table meats")));
  }

  @Test
  void lockedTableIsNotWaitedFor() throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table meats (id uuid primary key); create table menus (meat_id uuid)");
    try (var connection = database.dataSource().getConnection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table menus");

      CatalogDraft draft = CatalogDraft.of(database.dataSource());

      assertThat(draft.remarks())
          .contains(
              remark(
                  "meats",
                  called(
                      "menus.meat_id",
                      "its values could not be looked up: ERROR: canceling statement due to lock"
                          + " timeout")));
    }
  }

  @Test
  void tablesWithNamesThatNeedQuotesAreDrafted() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema "Bob's ""shop"" x";
        create table "Bob's ""shop"" x"."\u00d6le % ?" ("The id" uuid primary key);
        create table "Bob's ""shop"" x"."7" (id uuid primary key);
        create table "7" (id uuid primary key);
        create table "\u00e9" (id uuid primary key, "7id" uuid);
        insert into "Bob's ""shop"" x"."7" values ('017fe093-7adf-74b2-a558-f0fd4a5a4d3f');
        insert into "\u00e9" select id, id from "Bob's ""shop"" x"."7";
        insert into "7" select id from "\u00e9";
        """);

    CatalogDraft draft = CatalogDraft.of(database.dataSource());

    assertThat(draft.catalog().collections())
        .extracting(CollectionSpec::name, spec -> spec.table().orElseThrow())
        .containsExactly(
            tuple("bob-s-shop-x-7", "Bob's \"shop\" x.7"),
            tuple("le", "Bob's \"shop\" x.\u00d6le % ?"),
            tuple("x7", "7"),
            tuple("x", "\u00e9"));
    assertThat(draft.catalog().collection("x7").orElseThrow().referencedBy())
        .containsExactly(new Reference("\u00e9", "7id"));
  }

  @Test
  void publicIsNamedWhereItIsNotTheFirstThatIsSearched() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        "create schema shop; create table meats (id uuid primary key);"
            + " alter database %s set search_path = shop, public".formatted(database.name()));

    assertThat(CatalogDraft.of(database.dataSource()).catalog().collections())
        .extracting(spec -> spec.table().orElseThrow())
        .containsExactly("public.meats");
  }

  @Test
  void emptyDatabaseHasACatalogOfANamespaceAlone() throws SQLException {
    CatalogDraft draft = CatalogDraft.of(TestServer.NEWEST.createDatabase().dataSource());

    assertThat(draft.catalog().collections()).isEmpty();
    assertThat(draft.remarks()).isEmpty();
  }

  @Test
  void kindIsToldByTheDefaultThenByTheValues() {
    String v7 = "017fe093-7adf-74b2-a558-f0fd4a5a4d3f";
    String v4 = "9b2e0f65-3c5e-4f0b-8a0f-1d2f3a4b5c6d";
    String ulid = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z").toUuid().toString();

    assertThat(kind("uuid", "mintmark.ulid()")).isEqualTo(Kind.ULID);
    assertThat(kind("uuid", "generate_ulid_uuid()", v4)).isEqualTo(Kind.ULID);
    assertThat(kind("uuid", "uuidv7()", v7)).isEqualTo(Kind.UUIDV7);
    assertThat(kind("uuid", "public.uuid_generate_v7()")).isEqualTo(Kind.UUIDV7);
    assertThat(kind("uuid", "uuid_generate_v4()", v7)).isEqualTo(Kind.UUIDV4);
    assertThat(kind("uuid", "uuidv4()")).isEqualTo(Kind.UUIDV4);
    assertThat(kind("uuid", "", v7, v7)).isEqualTo(Kind.UUIDV7);
    assertThat(kind("uuid", "", v4)).isEqualTo(Kind.UUIDV4);
    assertThat(kind("uuid", "", ulid, v7)).isEqualTo(Kind.ULID);
    assertThat(kind("uuid", "", v4, v7)).isEqualTo(Kind.UUIDV4);
    assertThat(kind("text", "", v7)).isEqualTo(Kind.UUIDV7);
    assertThat(kind("text", "(gen_random_uuid())::text")).isEqualTo(Kind.UUIDV4);
    assertThat(kind("bpchar", "", "01FZG96YPZK4SANAG1ZM5T2K9Z")).isEqualTo(Kind.ULID);
    assertThat(kind("text", "", "01FZG96YPZK4SANAG1ZM5T2K9Z", "x")).isEqualTo(Kind.TEXT);
    assertThat(
            kind("text", "", "user_01h455vb4pex5vsknk084sn02q", "bill_01h455vb4pex5vsknk084sn02q"))
        .isEqualTo(Kind.TEXT);
    assertThat(kind("int2", "")).isEqualTo(Kind.SEQUENCE);
    assertThat(DraftKind.of("numeric", false, "", List.of(), NOW)).isEmpty();
    assertThat(DraftKind.of("uuid", true, "uuidv7()", List.of(v4), NOW).orElseThrow().doubt())
        .contains("its default makes them, but there are UUIDs of other versions too");
    assertThat(DraftKind.of("uuid", false, "", List.of(v4, v7), NOW).orElseThrow().doubt())
        .contains("there are UUIDs of version 4, 7");
  }

  @Test
  void namesAreInTheFormOfTheCatalogAndEachItsOwn() {
    assertThat(List.of("OrderLines", "order_lines", "ORDERS", "__a__b__", "7up", "\u00e9", "-"))
        .extracting(DraftName::of)
        .containsExactly("order-lines", "order-lines", "orders", "a-b", "x7up", "x", "x");
    String longest = "a".repeat(63);
    assertThat(
            DraftName.ofAll(
                List.of(
                    new DraftTable("public", longest),
                    new DraftTable("shop", longest),
                    new DraftTable("store", "x"),
                    new DraftTable("public", "a_b"),
                    new DraftTable("public", "a-b"))))
        .containsExactly(longest, "shop-" + "a".repeat(58), "x", "a-b", "a-b-2");
  }

  private static Kind kind(String type, String defaultExpression, String... values) {
    return DraftKind.of(type, true, defaultExpression, List.of(values), NOW).orElseThrow().kind();
  }

  private static CollectionSpec.Builder of(String name, Kind kind) {
    return CollectionSpec.builder(name, kind);
  }

  private static Remark leftOut(String table, String why) {
    return new Remark(Optional.empty(), "table \"public." + table + "\": " + why);
  }

  private static Remark remark(String collection, String text) {
    return new Remark(Optional.of(collection), text);
  }

  private static String widened(String column) {
    return "a plan makes \"" + column + "\" bigint too, which a foreign key connects with it";
  }

  private static String called(String column, String why) {
    return "\"" + column + "\" is called like a reference to it, but " + why;
  }
}
