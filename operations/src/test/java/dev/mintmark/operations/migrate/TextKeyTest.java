package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that are ULIDs or UUIDs kept as text become uuid. */
@Tag("slow")
class TextKeyTest {
  private static final CollectionSpec ORDERS =
      CollectionSpec.builder("orders", Kind.ULID)
          .table("shop.orders")
          .referencedBy(List.of(Reference.parse("shop.audit.order_ref")))
          .build();

  private static final CollectionSpec CUSTOMERS =
      CollectionSpec.builder("customers", Kind.ULID).table("shop.customers").build();

  private static final String ORDER = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final String ORDER_UUID = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";

  private static final String TEXTS =
      """
      select md5(string_agg(o.id || coalesce(o.customer_id, '') || coalesce(o.parent_id, '') || l.sku || n.body, ',' order by o.id, l.line))
      from shop.orders o
      join shop.order_lines l on l.order_id = o.id
      left join shop.line_notes n on n.order_id = o.id and n.line = l.line""";

  /** How many references find no row by their texts. */
  private static final String UNMATCHED =
      """
      select count(*)
      from (select tenant, o from kid union all select tenant, parent_id from orders) r
      where r.o is not null and not exists (select from orders p where p.tenant = r.tenant and p.id = r.o)""";

  private static Migrated shop(TestServer server) {
    TestDatabase database = server.createDatabase();
    Migrated.run(database, "shop.sql");
    return new Migrated(database, ORDERS, CUSTOMERS);
  }

  /** A shop behind the switch: its texts can be read and written as before. */
  private static Migrated baking() throws SQLException {
    Migrated shop = shop(TestServer.NEWEST);
    shop.apply();
    return shop;
  }

  @OnServers
  void becomesUuidWithAllThatRefersToIt(TestServer server) throws SQLException {
    Migrated shop = shop(server);
    String texts = shop.database.text(TEXTS);

    shop.apply();
    assertThat(shop.database.text(TEXTS)).isEqualTo(texts);
    shop.contract();

    assertThat(shop.plan())
        .isEqualTo(new MigrationPlan(List.of(), List.of(), List.of(), List.of()));
    assertThat(
            shop.database.text(
                TEXTS.replaceAll(
                    "o\\.(id|customer_id|parent_id)(?= \\|\\||, '')", "mintmark.ulid_text(o.$1)")))
        .isEqualTo(texts);
    assertThat(SchemaText.of(shop.database))
        .contains(
            "2 column shop.audit 003 order_ref uuid false  ",
            "2 column shop.orders 003 id uuid true   a ULID",
            "2 column shop.open_notes 001 id uuid false  ",
            "3 constraint shop.order_lines order_lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES"
                + " shop.orders(id) ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED true",
            "3 constraint shop.orders orders_pkey PRIMARY KEY (id) true it's the key",
            "3 constraint shop.orders orders_parent_check CHECK ((parent_id <> id)) true",
            "4 index CREATE INDEX orders_customer_id_idx ON shop.orders USING btree (customer_id, made_at DESC) true true",
            "4 index CREATE INDEX orders_parent_id_idx ON shop.orders USING btree (parent_id) WHERE (parent_id IS NOT NULL) true true")
        .noneMatch(
            line -> line.contains("__new") || line.contains("__old") || line.contains("sync"))
        .noneMatch(line -> line.contains("NOT VALID"));
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void rollbackLeavesNothing(TestServer server) throws SQLException {
    Migrated shop = shop(server);
    List<String> before = SchemaText.of(shop.database);
    String rows = SchemaText.rows(shop.database, "shop.orders");

    shop.apply();
    shop.rollback();

    assertThat(SchemaText.of(shop.database))
        .filteredOn(line -> !line.contains("mintmark"))
        .isEqualTo(before);
    assertThat(SchemaText.rows(shop.database, "shop.orders")).isEqualTo(rows);
    assertThat(shop.plan().steps()).isNotEmpty();
  }

  @Test
  void oldCodeWritesTextThroughTheSwitch() throws SQLException {
    Migrated shop = baking();

    shop.database.execute(
        """
        insert into shop.orders (id, note) values ('%s', 'by old code');
        insert into shop.order_lines values ('%s', 1, 'tea');
        insert into shop.line_notes values ('%s', 1, 'hot')"""
            .formatted(ORDER, ORDER, ORDER));

    assertThat(
            shop.database.text("select id::text from shop__new.orders where note = 'by old code'"))
        .isEqualTo(ORDER_UUID);
    assertThat(
            shop.database.text(
                "select order_id::text from shop__new.line_notes where body = 'hot'"))
        .isEqualTo(ORDER_UUID);
    assertThat(shop.database.text("select id from shop.orders where id = '" + ORDER + "'"))
        .isEqualTo(ORDER);

    String other = "01FZG96YPZK4SANAG1ZM5T2K9Y";
    shop.database.execute(
        "update shop.orders set id = '%s' where id = '%s'".formatted(other, ORDER));
    assertThat(shop.database.text("select order_id from shop.line_notes where body = 'hot'"))
        .isEqualTo(other);
    shop.database.execute("delete from shop.orders where id = '" + other + "'");
    assertThat(shop.database.number("select count(*) from shop.line_notes where body = 'hot'"))
        .isZero();
  }

  @Test
  void newCodeWritesUuidsThatOldCodeReads() throws SQLException {
    Migrated shop = baking();

    shop.database.execute(
        """
        set search_path = shop__new, shop;
        insert into orders (id, note) values ('%s', 'by new code');
        insert into order_lines (order_id, line, sku) values ('%s', 1, 'tea');
        update orders set parent_id = (select id from orders where note = 'none' limit 1) where note = 'by new code'"""
            .formatted(ORDER_UUID, ORDER_UUID));

    assertThat(
            shop.database.rows(
                "select id, parent_id is not null from shop.orders where note = 'by new code'"))
        .containsExactly(List.of(ORDER, "t"));
    assertThat(shop.database.text("select order_id from shop.order_lines where sku = 'tea'"))
        .isEqualTo(ORDER);
    assertThatThrownBy(
            () ->
                shop.database.execute(
                    "insert into shop__new.order_lines (order_id, line, sku) values (gen_random_uuid(), 1, 'of no order')"))
        .hasMessageContaining("order_lines_order_id_fkey");
  }

  @Test
  void anInsertWithoutAKeyIsToldTheNameThatUsersKnow() throws SQLException {
    Migrated shop = baking();

    for (String schema : List.of("shop", "shop__new")) {
      assertThatThrownBy(
              () ->
                  shop.database.execute("insert into " + schema + ".order_lines (line) values (1)"))
          .hasMessageContaining("null value in column \"order_id\" of relation \"order_lines\"");
    }
  }

  /** A statement for each limit, which works with the table. */
  private static String beyond(ViewLimit limit) {
    return switch (limit) {
      case SYSTEM_COLUMNS -> "select ctid, xmin, tableoid from t";
      case TRUNCATE -> "truncate t";
      case COPY -> "copy t to '/dev/null'";
      case MERGE -> "merge into t using (values (1)) v (i) on false when matched then do nothing";
      case TABLESAMPLE -> "select * from t tablesample system (100)";
      case WHERE_CURRENT_OF ->
          "declare c cursor for select * from t for update; fetch c; update t set n = 1 where current of c";
      case ON_CONFLICT_ON_CONSTRAINT ->
          "insert into t select * from t on conflict on constraint t_pkey do nothing";
      case GROUP_BY_KEY -> "select id, n from t group by id";
      case FOREIGN_KEYS -> "create table c (t_id text references t)";
      case INDEXES -> "create index on t (n)";
      case ALTER_TABLE -> "alter table t add column more text";
      case TRIGGERS ->
          "create trigger g after insert on t for each row execute function pg_catalog.suppress_redundant_updates_trigger()";
      case SERIAL_SEQUENCE -> "select 1 / (pg_get_serial_sequence('t', 's') is not null)::integer";
    };
  }

  @OnServers
  void aViewDoesNotSupportWhatThePlanLists(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute("create table t (id text primary key, n integer, s serial)");
    database.execute("insert into t (id, n) values ('" + ORDER + "', 1)");
    Migrated things =
        new Migrated(database, CollectionSpec.builder("things", Kind.ULID).table("t").build());
    assertThat(things.plan().notes()).anyMatch(note -> note.contains(ViewLimit.all()));

    List<ViewLimit> ofTable = unsupported(database);
    things.apply();

    assertThat(ofTable)
        .isEqualTo(server.majorVersion() < 15 ? List.of(ViewLimit.MERGE) : List.of());
    assertThat(unsupported(database))
        .containsExactlyElementsOf(
            Arrays.stream(ViewLimit.values())
                .filter(limit -> limit != ViewLimit.MERGE || server.majorVersion() < 17)
                .toList());
  }

  @Test
  void thePageListsWhatAViewDoesNotSupport() throws IOException {
    String page =
        Files.readString(Path.of("..", "docs", "migrate.md"))
            .replace("`", "")
            .replaceAll("\\s+", " ");

    assertThat(page).contains("A view does not support: " + ViewLimit.all() + ". ");
  }

  private static List<ViewLimit> unsupported(TestDatabase database) {
    List<ViewLimit> unsupported = new ArrayList<>();
    for (ViewLimit limit : ViewLimit.values()) {
      try {
        database.execute("begin; " + beyond(limit) + "; rollback");
      } catch (IllegalStateException e) {
        unsupported.add(limit);
      }
    }
    return unsupported;
  }

  @Test
  void theOldShapeIsForThoseWhoMightReadTheTable() throws SQLException {
    Migrated shop = baking();

    assertThat(
            shop.database.text(
                "select pg_get_userbyid(relowner) from pg_class where oid = 'shop.orders'::regclass"))
        .isEqualTo("postgres");
    shop.database.execute(
        """
        set role reader;
        select id, note from shop.orders;
        select id from shop.customers;
        update shop.orders set note = 'read' where note = 'none';
        select id from shop__new.orders""");
    assertThatThrownBy(
            () -> shop.database.execute("set role reader; select name from shop.customers"))
        .hasMessageContaining("permission denied");
  }

  @Test
  void theOldShapeIsForNobodyElse() throws SQLException {
    Migrated things = texts(Kind.ULID, ORDER);
    things.database.execute(
        """
        create view shown as select id from t;
        alter default privileges grant select on tables to public""");

    things.apply();
    String grants =
        "select relacl is null or relacl::text !~ '[{,]=' from pg_class where oid = '%s'::regclass";
    assertThat(things.database.text(grants.formatted("t"))).isEqualTo("t");
    things.contract();

    assertThat(things.database.text(grants.formatted("shown"))).isEqualTo("t");
  }

  @Test
  void rollbackKeepsWhatBothWroteBehindTheSwitch() throws SQLException {
    Migrated shop = baking();
    shop.database.execute(
        "insert into shop__new.orders (id, note) values ('" + ORDER_UUID + "', 'new')");
    shop.database.execute(
        "insert into shop.orders (id, note) values ('01FZG96YPZK4SANAG1ZM5T2K9Y', 'old')");
    String texts =
        shop.database.text("select md5(string_agg(id, ',' order by id)) from shop.orders");

    shop.rollback();

    assertThat(shop.database.text("select md5(string_agg(id, ',' order by id)) from shop.orders"))
        .isEqualTo(texts);
    assertThat(shop.database.text("select note from shop.orders where id = '" + ORDER + "'"))
        .isEqualTo("new");
  }

  /**
   * Texts of one table, each with its line in another that has a foreign key to it and one that has
   * none.
   */
  private static Migrated texts(Kind kind, String... texts) {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table t (id text primary key);
        create table line (t_id text references t (id));
        create table loose (t_ref text)""");
    for (String text : texts) {
      database.execute(
          "insert into t values ('%1$s'); insert into line values ('%1$s'); insert into loose values (upper('%1$s'))"
              .formatted(text));
    }
    return new Migrated(
        database,
        CollectionSpec.builder("things", kind)
            .table("t")
            .referencedBy(List.of(Reference.parse("loose.t_ref")))
            .build());
  }

  @Test
  void anyCaseIsTheSameIdentifier() throws SQLException {
    Migrated things =
        texts(
            Kind.ULID,
            "01fzg96ypzk4sanag1zm5t2k9z",
            "01FZG96YPZK4SANAG1ZM5T2K9Y",
            "01Fzg96yPZK4SANAG1ZM5T2K9X");

    things.apply();
    // What new code writes reads for old code as what it refers to, in its case.
    things.database.execute("insert into public__new.line (t_id) values ('" + ORDER_UUID + "')");
    assertThat(things.database.rows("select t_id from line where upper(t_id) = '" + ORDER + "'"))
        .containsExactly(
            List.of(ORDER.toLowerCase(java.util.Locale.ROOT)),
            List.of(ORDER.toLowerCase(java.util.Locale.ROOT)));
    things.rollback();
    things.apply();
    things.contract();

    assertThat(
            things.database.number(
                "select count(*) from t join line on line.t_id = t.id join loose on loose.t_ref = t.id"))
        .isEqualTo(4);
    assertThat(things.plan().isEmpty()).isTrue();
  }

  /**
   * Its unique index and its foreign keys ignore the letter case before, while it bakes and after.
   */
  @OnServers({TestServer.V14, TestServer.V18})
  void aCollationMayIgnoreTheCase(TestServer server) throws SQLException {
    for (String text : List.of(ORDER, ORDER_UUID)) {
      TestDatabase database = server.createDatabase();
      database.execute(
          """
          create collation ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
          create table t (id text collate ci primary key, n integer);
          create table line (t_id text collate ci references t, n integer);
          insert into t values ('%1$s', 1);
          insert into line values (upper('%1$s'), 1), (lower('%1$s'), 2)"""
              .formatted(text));
      Migrated things = declared(database, CollectionSpec.builder("things", Kind.ULID));

      assertThat(things.plan(InvalidValues.QUARANTINE).refusals())
          .extracting(Refusal::code)
          .containsOnly(RefusalCode.NONDETERMINISTIC_COLLATION);
      things.apply(InvalidValues.NORMALISE);
      database.execute(
          "update t set n = 2 where id = lower('%1$s'); insert into line values (lower('%1$s'), 3); update t set id = lower(id)"
              .formatted(text));
      assertThatThrownBy(() -> database.execute("insert into t values (lower('" + text + "'), 3)"))
          .hasMessageContaining("duplicate key");
      things.rollback();
      assertThat(database.number("select count(*) from t join line on line.t_id = t.id"))
          .isEqualTo(3);
      things.apply();
      things.contract();

      assertThat(
              database.rows(
                  "select t.id, count(*) from t join line on line.t_id = t.id group by t.id"))
          .containsExactly(List.of(ORDER_UUID, "3"));
    }
  }

  /** Old code may write what the plan accepts, also if no row had it when it was made. */
  @ParameterizedTest
  @CsvSource({
    "ULID, 01FZG96YPZK4SANAG1ZM5T2K9Y, 01fzg96ypzk4sanag1zm5t2k9z",
    "UUIDV7, 017fe093-7adf-9932-aaaa-01fd0ba14d3e, 017FE093-7ADF-9932-AAAA-01FD0BA14D3F"
  })
  void anyCaseIsTheSameIdentifierWhileItBakes(Kind kind, String text, String otherCase)
      throws SQLException {
    Migrated things = texts(kind, text);
    things.apply();

    things.database.execute("insert into t (id) values ('" + otherCase + "')");
    things.database.execute("insert into public__new.line (t_id) values ('" + ORDER_UUID + "')");

    assertThat(things.database.rows("select t_id from line where t_id <> '" + text + "'"))
        .containsExactly(List.of(otherCase));
    things.rollback();
    assertThat(things.database.number("select count(*) from t join line on line.t_id = t.id"))
        .isEqualTo(2);
  }

  /** The text foreign keys join the rows while it bakes, and hold again after the rollback. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "update orders set id = lower(id)",
        "update orders set id = lower(id), n = 2; update kid set o = lower(o)",
        "insert into kid select 'a', lower(id) from orders where tenant = 'a'",
        "insert into kid select 'b', upper(id) from orders where tenant = 'b'",
        "update kid set tenant = 'b' where o = '01FZG96YPZK4SANAG1ZM5T2K9Z'",
        "update orders set tenant = 'c' where tenant = 'b'",
        "update kid set o = lower('01FZG96YPZK4SANAG1ZM5T2K9Y') where tenant = 'a'",
        "update orders set parent_id = lower(id) where tenant = 'a'",
        "insert into orders values ('01FZG96YPZK4SANAG1ZM5T2K9X', 'c', lower('01FZG96YPZK4SANAG1ZM5T2K9X'))",
        "update orders set id = lower('01FZG96YPZK4SANAG1ZM5T2K9X') where id = '01FZG96YPZK4SANAG1ZM5T2K9Y'",
        "insert into public__new.kid (tenant, o) select tenant, id from public__new.orders"
      })
  void aReferenceHasTheSpellingOfWhatItRefersTo(String written) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table orders (
          parent_id char(26), tenant text collate "C", id char(26), n integer default 1,
          primary key (tenant, id),
          foreign key (tenant, parent_id) references orders on update cascade);
        create table kid (
          tenant varchar(9) collate "POSIX", o char(26), foreign key (tenant, o) references orders on update cascade);
        insert into orders values
          (null, 'a', '01FZG96YPZK4SANAG1ZM5T2K9Z'), (null, 'b', '01fzg96ypzk4sanag1zm5t2k9z'),
          ('01FZG96YPZK4SANAG1ZM5T2K9Z', 'a', '01FZG96YPZK4SANAG1ZM5T2K9Y');
        insert into kid select tenant, id from orders""");
    Migrated orders =
        new Migrated(database, CollectionSpec.builder("orders", Kind.ULID).table("orders").build());
    orders.apply();

    database.execute(written);

    assertThat(database.number(UNMATCHED)).isZero();
    orders.rollback();
    assertThat(database.number(UNMATCHED)).isZero();
  }

  @Test
  void lowerCaseStaysLowerCase() throws SQLException {
    Migrated things = texts(Kind.ULID, "01fzg96ypzk4sanag1zm5t2k9y");

    things.apply();
    things.database.execute("insert into public__new.t (id) values ('" + ORDER_UUID + "')");

    assertThat(things.database.rows("select id from t order by id"))
        .containsExactly(
            List.of("01fzg96ypzk4sanag1zm5t2k9y"), List.of("01fzg96ypzk4sanag1zm5t2k9z"));
  }

  /** Old code gives no identifier, so the trigger writes the text of the one that is minted. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          char(32)    | 017fe0937adf9932aaaa01fd0ba14d3f                                          | ^[0-9a-f]{32}$
          char(32)    |                                                                           | ^[0-9a-f]{32}$
          varchar(32) | 017FE0937ADF9932AAAA01FD0BA14D3F                                          | ^[0-9A-F]{32}$
          char(36)    | 017fe0937adf9932aaaa01fd0ba14d3f                                          | ^[0-9a-f]{32} *$
          text        | 017FE093-7ADF-9932-AAAA-01FD0BA14D3F                                      | ^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$
          text        | 017FE0937ADF9932AAAA01FD0BA14D3F 018fe0937adf9932aaaa01fd0ba14d3f 028fe0937adf9932aaaa01fd0ba14d3f | ^[0-9a-f]{32}$
          text        | {017FE093-7ADF-9932-AAAA-01FD0BA14D3F}                                    | ^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$
          text        |                                                                           | ^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$
          """)
  void newTextsOfUuidsHaveTheFormOfMost(String type, @Nullable String texts, String form)
      throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table t (id %1$s primary key default replace(gen_random_uuid()::text, '-', ''), n integer);
        create table line (t_id %1$s references t)"""
            .formatted(type));
    for (String text : texts == null ? new String[0] : texts.split(" ")) {
      database.execute(
          "insert into t values ('%1$s'); insert into line values ('%1$s')".formatted(text));
    }
    Migrated things = declared(database, CollectionSpec.builder("things", Kind.UUIDV4));

    things.apply(InvalidValues.NORMALISE);
    database.execute(
        """
        insert into t (n) values (1);
        insert into public__new.t (n) values (2);
        insert into public__new.line (t_id) select id from public__new.t where n in (1, 2)""");
    String written =
        "select count(*) from line join t on t.id = line.t_id where n in (1, 2) and id ~ '"
            + form
            + "'";
    assertThat(database.number(written)).isEqualTo(2);
    things.rollback();

    assertThat(database.number(written)).isEqualTo(2);
  }

  /** The remedy is followed. */
  @ParameterizedTest
  @CsvSource({"t, id, UUIDV4, 36", "loose, t_ref, ULID, 26"})
  void aColumnThatIsTooShortForNewTextsIsRefused(
      String table, String column, Kind kind, int characters) throws SQLException {
    Migrated things = texts(kind, "LEGACY-17");
    things.database.execute("alter table %s alter %s type varchar(20)".formatted(table, column));

    MigrationPlan plan = things.plan(InvalidValues.QUARANTINE);
    assertThat(plan.steps()).isEmpty();
    assertThat(plan.refusals())
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.code()).isEqualTo(RefusalCode.SHORT_COLUMN);
              assertThat(refusal.object()).isEqualTo("column public." + table + "." + column);
              assertThat(refusal.reason())
                  .startsWith("it has room for 20 characters")
                  .endsWith("of " + characters);
            });

    things.database.execute(plan.refusals().get(0).remedy().replaceFirst("^[^:]*: ", ""));
    things.apply(InvalidValues.QUARANTINE);
    things.database.execute(
        """
        insert into public__new.t (id) values (gen_random_uuid());
        insert into public__new.loose (t_ref) values (gen_random_uuid())""");
  }

  @Test
  void textsOfUuidsAreReadAsSuch() throws SQLException {
    Migrated things = texts(Kind.UUIDV7, ORDER_UUID);

    things.apply();
    assertThat(things.database.text("select id from t")).isEqualTo(ORDER_UUID);
    things.contract();

    assertThat(things.database.value("select id from t", java.util.UUID.class))
        .hasToString(ORDER_UUID);
  }

  @Test
  void textsThatAreNoIdentifiersAreRefused() {
    Migrated things = texts(Kind.ULID, ORDER, "legacy-17");

    assertThat(things.plan().steps()).isEmpty();
    assertThat(things.plan().refusals())
        .singleElement()
        .satisfies(
            refusal -> {
              assertThat(refusal.object()).isEqualTo("column public.t.id");
              assertThat(refusal.reason())
                  .contains("1 in public.t.id are not identifiers, such as \"legacy-17\"");
            });
    assertThat(things.plan(InvalidValues.NORMALISE).refusals()).hasSize(1);
  }

  private static Refusal refusal(Migrated things) {
    return things.plan().refusals().get(0);
  }

  private static Migrated declared(TestDatabase database, CollectionSpec.Builder things) {
    return new Migrated(database, things.table("t").build());
  }

  /** Each remedy is followed. */
  @Test
  void anotherKindOfKeyIsDeclaredAsSuch() {
    Migrated things =
        texts(Kind.ULID, ORDER, "wk9cpfxy8fbyjqx4skhrcs1bxh", "9mkt4ay4u7gp8muwyzhkq6jcca");

    Refusal refusal = refusal(things);
    assertThat(refusal.reason())
        .isEqualTo(
            "of 9 texts 2 in public.t.id are not identifiers, such as \"9mkt4ay4u7gp8muwyzhkq6jcca\";"
                + " 2 in public.loose.t_ref are not identifiers, such as \"9MKT4AY4U7GP8MUWYZHKQ6JCCA\";"
                + " 2 in public.line.t_id are not identifiers, such as \"9mkt4ay4u7gp8muwyzhkq6jcca\"");
    assertThat(refusal.remedy()).isEqualTo("most are another kind of key: declare kind: text");
    assertThat(things.plan(InvalidValues.QUARANTINE).notes())
        .contains(
            "things: quarantine takes 6 of 9 texts: this is another kind of key: declare kind: text");

    assertThat(declared(things.database, CollectionSpec.builder("things", Kind.TEXT)).plan())
        .isEqualTo(new MigrationPlan(List.of(), List.of(), List.of(), List.of()));
  }

  @Test
  void textsWithAPrefixAreDeclaredAsText() {
    Migrated things = texts(Kind.ULID, "cart_" + ORDER, "cart_01FZG96YPZK4SANAG1ZM5T2K9Y");

    Refusal refusal = refusal(things);
    assertThat(refusal.code()).isEqualTo(RefusalCode.PREFIXED_TEXT);
    assertThat(refusal.reason())
        .contains("2 in public.t.id are texts with a prefix, such as \"cart_01FZ")
        .endsWith("; removing it is not supported");
    assertThat(refusal.remedy()).isEqualTo("declare kind: text");
    assertThat(declared(things.database, CollectionSpec.builder("things", Kind.TEXT)).plan())
        .isEqualTo(new MigrationPlan(List.of(), List.of(), List.of(), List.of()));

    CollectionSpec.Builder carts = CollectionSpec.builder("carts", Kind.TYPEID).prefix("cart");
    assertThat(refusal(declared(things.database, carts)).remedy())
        .isEqualTo("declare storage: text");
    assertThat(declared(things.database, carts.storage(Kind.Storage.TEXT)).plan())
        .isEqualTo(new MigrationPlan(List.of(), List.of(), List.of(), List.of()));
  }

  @Test
  void anEmptyTextInPlaceOfNoReferenceIsStoredAsNull() throws SQLException {
    Migrated things = texts(Kind.ULID, ORDER);
    things.database.execute(
        """
        alter table t add column root_id text not null default '';
        insert into t values ('01FZG96YPZK4SANAG1ZM5T2K9Y', '%s')"""
            .formatted(ORDER));
    Migrated posts =
        new Migrated(
            things.database,
            CollectionSpec.builder("things", Kind.ULID)
                .table("t")
                .referencedBy(List.of(Reference.parse("t.root_id"), Reference.parse("loose.t_ref")))
                .build());

    Refusal refusal = refusal(posts);
    assertThat(refusal.reason()).isEqualTo("of 6 texts 1 in public.t.root_id are empty texts");
    assertThat(posts.plan(InvalidValues.QUARANTINE).notes())
        .anyMatch(
            note -> note.startsWith("the empty text in public.t.root_id becomes an identifier"));
    assertThat(refusal.remedy()).startsWith("store null in place of empty texts: alter table ");
    posts.database.execute(refusal.remedy().replaceFirst("^[^:]*: ", ""));
    posts.apply();
    posts.contract();

    assertThat(posts.database.rows("select count(*), count(root_id) from t"))
        .containsExactly(List.of("2", "1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "primary key (id)                                                        | true",
        "primary key (tenant, id)                                                | true",
        "unique (note, id)                                                       | false",
        "unique nulls not distinct (note, id)                                    | true",
        "create unique index on things (id) include (note)                       | true",
        "create unique index on things (id) where things.tenant = 1              | true",
        "create unique index on things (id) where tenant = 2                     | false",
        "create unique index on things (id, n)                                   | false",
        "create unique index on things (n) include (id)                          | false",
        "create unique index on things (parent_id, id)                           | true",
        "create index on things (id)                                             | false",
      })
  void twoSpellingsOfOneIdentifierAreRefusedWhereTheyWouldBeEqual(String key, boolean refused) {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table things (tenant int, id text, parent_id text, note text, n serial);
        insert into things (tenant, id, parent_id) values (1, '%1$s', '%1$s'), (1, '%2$s', '%2$s'), (2, '%3$s', null)"""
            .formatted(ORDER, ORDER.toLowerCase(Locale.ROOT), "01FZG96YPZK4SANAG1ZM5T2K9Y"));
    database.execute(key.startsWith("create") ? key : "alter table things add " + key);
    Migrated things =
        new Migrated(
            database,
            CollectionSpec.builder("things", Kind.ULID)
                .table("things")
                .referencedBy(List.of(Reference.parse("things.parent_id")))
                .build());

    assertThat(things.plan(InvalidValues.NORMALISE).refusals())
        .filteredOn(refusal -> refusal.code() == RefusalCode.DUPLICATE_IDENTIFIERS)
        .extracting(refusal -> refusal.object() + ": " + refusal.reason())
        .contains(
            refused
                ? new String[] {
                  "column public.things.id: it holds two spellings of one identifier: \"%s\" and \"%s\""
                      .formatted(ORDER, ORDER.toLowerCase(Locale.ROOT))
                }
                : new String[0])
        .hasSizeLessThanOrEqualTo(refused ? 2 : 0);
  }

  @Test
  void spellingsAreNormalised() throws SQLException {
    Migrated things =
        texts(Kind.ULID, ORDER, " 01FZG96YPZK4SANAG1ZM5T2K9-Y ", "oLFZG96YPZK4SANAG1ZM5T2K9X");
    assertThat(things.plan().refusals()).hasSize(1);

    things.apply(InvalidValues.NORMALISE);
    things.contract();

    assertThat(things.database.rows("select mintmark.ulid_text(id) from t order by id"))
        .containsExactly(
            List.of("01FZG96YPZK4SANAG1ZM5T2K9X"),
            List.of("01FZG96YPZK4SANAG1ZM5T2K9Y"),
            List.of(ORDER));
    assertThat(
            things.database.number(
                "select count(*) from t join line on line.t_id = t.id join loose on loose.t_ref = t.id"))
        .isEqualTo(3);
  }

  @Test
  void whatSpellsNothingIsQuarantinedAndNothingIsLost() throws SQLException {
    Migrated things = texts(Kind.ULID, ORDER, "LEGACY-17", "");

    things.apply(InvalidValues.QUARANTINE);
    assertThat(things.database.number("select count(*) from t where id = 'LEGACY-17'")).isOne();
    things.contract();

    assertThat(
            things.database.number(
                "select count(*) from t join line on line.t_id = t.id join loose on loose.t_ref = t.id"))
        .isEqualTo(3);
    assertThat(
            things.database.rows(
                "select q.value, uuid_extract_version(t.id) from t join mintmark.key_quarantine q on q.id = t.id and q.relation = 'public.t.id' order by 1"))
        .containsExactly(List.of("", "8"), List.of("LEGACY-17", "8"));
    assertThat(things.plan().isEmpty()).isTrue();
  }

  /** Old code writes until the contraction drops the old column. */
  @Test
  void whatSpellsNothingIsQuarantinedUntilTheEnd() throws SQLException {
    Migrated things = texts(Kind.ULID, ORDER, "LEGACY-17");
    things.apply(InvalidValues.QUARANTINE);
    things.database.execute("insert into t values ('LEGACY-18')");

    things.migrations.contract(
        Migrated.PACE,
        new MigrationListener() {
          @Override
          public void finished(Step step) {
            if (step.title().startsWith("keep the texts of public.t.id")) {
              things.database.execute(
                  "insert into t values ('LEGACY-19'); insert into line values ('LEGACY-17');"
                      + " update t set id = 'LEGACY-20' where id = 'LEGACY-18'");
            }
          }
        });

    assertThat(
            things.database.rows(
                "select q.value from t join mintmark.key_quarantine q on q.id = t.id and q.relation = 'public.t.id' order by 1"))
        .containsExactly(List.of("LEGACY-17"), List.of("LEGACY-19"), List.of("LEGACY-20"));
    assertThat(
            things.database.number(
                "select count(*) from line join mintmark.key_quarantine q on q.id = line.t_id and q.relation = 'public.line.t_id'"))
        .isEqualTo(2);
  }

  @Test
  void twoTextsOfOneIdentifierAreFoundBeforeAnythingIsSwitched() {
    Migrated things = texts(Kind.ULID, ORDER, ORDER.toLowerCase(java.util.Locale.ROOT));

    assertThat(things.plan().refusals())
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.reason()).contains(ORDER));
  }
}
