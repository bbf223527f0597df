package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What PostgreSQL makes of a search of 120,000 rows that has the indexes of docs/search.md. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class SearchPlanTest {
  private static final CollectionSpec ORDERS =
      CollectionSpec.builder("orders", Kind.SEQUENCE).prefix("OR").build();

  private final Map<TestServer, TestDatabase> databases = new EnumMap<>(TestServer.class);

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      textBlock =
          """
          '#id', 01FZG96YPZK4SANAG1ZM5T2K9Z,           orders_pkey
          '#id', 017FE0937ADF9932AAAA01FD0BA14D3F,     orders_pkey
          '#id', ^01FZG9,                              orders_pkey
          ^id,      01FZG9,                               orders_pkey
          ^id,      017fe093-7,                           orders_pkey
          ^id,      01234,                                orders_pkey
          '#number', OR123,                                orders_number
          ^company, Acme 77,                              orders_company
          =company, acme 777,                             orders_company
          @comment, brown7777,                            orders_comment
          """)
  void aLookupUsesItsIndex(String declaration, String text, String index) throws SQLException {
    for (TestServer server : EnumSet.of(TestServer.oldest(), TestServer.NEWEST)) {
      String plan = plan(server, Search.of(table(declaration)), '"' + text + '"');

      assertThat(plan).as("%s", server).contains(index, "Index Cond").doesNotContain("Seq Scan");
    }
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void severalColumnsOfATableUseTheirIndexesTogether(TestServer server) throws SQLException {
    Search search = Search.of(SearchTable.of("orders").columns("#id", "^company", "@comment"));

    String plan = plan(server, search, "01FZG96YPZK4SANAG1ZM5T2K9Z");

    assertThat(plan)
        .contains("BitmapOr", "orders_pkey", "orders_company", "orders_comment")
        .doesNotContain("Seq Scan");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void aJoinedColumnAloneUsesItsIndex(TestServer server) throws SQLException {
    SearchTable notes = SearchTable.of("notes").columns("=note");

    String plan =
        plan(server, Search.of(SearchTable.of("orders").join(notes, "order_id", "id")), "note77");

    assertThat(plan).contains("notes_note", "orders_pkey").doesNotContain("Seq Scan");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void byItsKeyATableAndAJoinedOneUseTheIndexesOfEach(TestServer server) throws SQLException {
    SearchTable notes = SearchTable.of("notes").columns("=note");
    SearchTable orders = SearchTable.of("orders").columns("#id").join(notes, "order_id", "id");
    String text = "01FZG96YPZK4SANAG1ZM5T2K9Z";

    assertThat(plan(server, Search.of(orders.key("id")), text))
        .contains("notes_note", "orders_pkey", "Append")
        .doesNotContain("Seq Scan");
    assertThat(plan(server, Search.of(orders), text)).contains("Seq Scan on orders");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void anIndexNamesTheCollationWhereItIsNotTheDatabases(TestServer server) throws SQLException {
    Search search = Search.of(SearchTable.of("orders").columns("^city"));

    assertThat(plan(server, search, "\"town 77\""))
        .contains("orders_city", "Index Cond")
        .doesNotContain("Seq Scan");
    assertThat(plan(server, search.withCollation("ucs_basic"), "\"town 77\""))
        .contains("orders_city_ucs", "Index Cond")
        .doesNotContain("Seq Scan");
  }

  @Test
  void whatIsContainedUsesTrigrams() throws SQLException {
    TestDatabase database = database(TestServer.NEWEST);
    database.execute(
        """
        create extension if not exists pg_trgm;
        create index orders_trigrams on orders using gin (lower(city) gin_trgm_ops);
        """);
    Search search = Search.of(SearchTable.of("orders").columns("city")).withCollation("POSIX");

    assertThat(plan(TestServer.NEWEST, search, "\"OWN 777\""))
        .contains("orders_trigrams", "Index Cond")
        .doesNotContain("Seq Scan");
  }

  @Test
  void aStatementThatIsRunOftenIsStillPlannedForItsTerm() throws SQLException {
    Search search = Search.of(SearchTable.of("orders").columns("^company"));
    try (Connection connection = database(TestServer.NEWEST).dataSource().getConnection()) {
      for (int i = 0; i < 30; i++) {
        search.find(connection, "\"acme 77" + i + "\"", 20, row -> row.getLong("number"));
      }

      try (Statement statement = connection.createStatement();
          ResultSet plans =
              statement.executeQuery(
                  "select generic_plans, custom_plans from pg_prepared_statements"
                      + " where statement like '%company%'")) {
        assertThat(plans.next()).isTrue();
        assertThat(plans.getLong("generic_plans")).isZero();
        assertThat(plans.getLong("custom_plans")).isGreaterThan(10);
      }
    }
  }

  /**
   * A small limit must not make the planner read all rows in their order: each search reads few
   * rows, whatever its limit. Counted are the rows that the server read, not time.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 20})
  void aSearchReadsFewRowsWhateverItsLimit(int limit) throws SQLException {
    TestDatabase database = database(TestServer.NEWEST);
    SearchTable orders =
        SearchTable.of("orders").columns("#id", "^company", "=company", "@comment");
    List<Search> searches =
        List.of(
            Search.of(orders).descendingBy("id"),
            Search.of(orders.key("id")).ascendingBy("number"),
            Search.of(
                    orders
                        .join(SearchTable.of("notes").columns("=note"), "order_id", "id")
                        .key("id"))
                .descendingBy("id"));
    String id = database.text("select id::text from orders order by id limit 1");
    String ulid = Ulid.of(UUID.fromString(id)).toString();

    for (Search search : searches) {
      for (String text :
          List.of(
              ulid,
              "zzzzqqq",
              "\"acme 77\"",
              "\"acme 7777\" brown7777",
              "acme \"acme 1234\"",
              "the quick brown7777",
              "01FZG96YPZK4SANAG1ZM5T2K9Z acme")) {
        assertThat(rowsRead(database, search, text, limit)).as(text).isLessThan(6000);
      }
    }
  }

  @Test
  void anIdentifierIsFoundFirstEvenIfAnotherColumnHasNoIndex() throws SQLException {
    TestDatabase database = database(TestServer.NEWEST);
    String id = database.text("select id::text from orders order by id limit 1");
    Search search =
        Search.of(SearchTable.of("orders").columns("#id", "$comment")).descendingBy("id");

    assertThat(rowsRead(database, search, "{" + id + "}", 1)).isLessThan(10);
  }

  /** Broad terms are read in their order until there are enough. */
  @Test
  void aBroadTermIsNotSortedAsAWhole() throws SQLException {
    TestDatabase database = database(TestServer.NEWEST);
    Search search = Search.of(SearchTable.of("orders").columns("^company")).descendingBy("id");

    assertThat(rowsRead(database, search, "acme", 20)).isLessThan(1000);
  }

  private static long rowsRead(TestDatabase database, Search search, String text, int limit)
      throws SQLException {
    // A session counts what it has read since it last reported.
    try (Connection connection = database.newSessions().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      search.find(connection, text, limit, row -> row.getLong("number"));
      try (ResultSet row =
          statement.executeQuery(
              "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint"
                  + " from pg_stat_xact_user_tables")) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static SearchTable table(String declaration) {
    SearchTable orders = SearchTable.of("orders");
    return switch (declaration) {
      case "^id" -> orders.column("^id", SearchIds.UUIDS);
      case "#number" -> orders.column("#number", SearchIds.of(ORDERS));
      default -> orders.columns(declaration);
    };
  }

  private String plan(TestServer server, Search search, String text) throws SQLException {
    SearchCondition condition = search.condition(text);
    StringBuilder plan = new StringBuilder();
    try (Connection connection = database(server).dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("explain select * from orders where " + condition.sql())) {
      condition.bind(statement, 1);
      try (ResultSet lines = statement.executeQuery()) {
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
      }
    }
    return plan.toString();
  }

  private TestDatabase database(TestServer server) {
    return databases.computeIfAbsent(server, SearchPlanTest::create);
  }

  private static TestDatabase create(TestServer server) {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table orders (
          id uuid, number bigint, company varchar(80), comment text, city text collate "POSIX");
        insert into orders
          select md5(i::text)::uuid, i, 'Acme ' || i, 'the quick brown' || i, 'Town ' || i
          from generate_series(1, 120000) i;
        alter table orders add primary key (id);
        create index orders_number on orders (number);
        create index orders_company on orders (lower(company) text_pattern_ops);
        create index orders_city on orders (lower(city collate "default") text_pattern_ops);
        create index orders_city_ucs on orders (lower(city collate ucs_basic) text_pattern_ops);
        create index orders_comment on orders using gin (to_tsvector('simple', comment));
        create table notes (order_id uuid, note text);
        insert into notes select id, 'note' || number from orders;
        create index notes_note on notes (lower(note));
        """);
    database.execute("vacuum analyze orders");
    database.execute("vacuum analyze notes");
    return database;
  }
}
