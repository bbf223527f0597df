package dev.mintmark.postgres.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.Mask;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puris;
import dev.mintmark.Quoted;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.RowReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("database")
class SearchTest {
  private static final String SCHEMA =
      """
      create schema shop;
      create table shop.orders (
        id uuid primary key, number bigint, name text, company varchar(80), email text,
        comment text, status text);
      create table shop.notes (order_id uuid, note text, author_id int);
      create table shop.authors (author_id int, name text);
      insert into shop.orders values
        ('017fe093-7adf-9932-aaaa-01fd0ba14d3f', 1, 'Anna 100% sure', 'Acme Ltd', 'Anna@Example.com',
          'the quick brown fox', 'open'),
        ('b43a28cb-a649-426d-ad59-13b2a02894e3', 2, 'Bert_x \\ 100 percent', 'Bacme', 'bert@example.com',
          'quick foxes are brown', 'closed'),
        ('017fe093-7adf-9932-aaaa-01fd0ba14d40', 3, null, null, null, null, null);
      insert into shop.notes values
        ('017fe093-7adf-9932-aaaa-01fd0ba14d3f', 'called twice', 7),
        ('017fe093-7adf-9932-aaaa-01fd0ba14d3f', 'called again', 8),
        ('b43a28cb-a649-426d-ad59-13b2a02894e3', 'wrote', 7);
      insert into shop.authors values (7, 'Zoe'), (8, 'Yan');
      """;

  private final TestDatabase database = TestServer.NEWEST.createDatabase();

  @BeforeAll
  void createTables() {
    database.execute(SCHEMA);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      textBlock =
          """
          name,      anna,          1
          name,      NNA,           1
          name,      100,           12
          name,      100%,          1
          name,      _,             2
          name,      t_x,           2
          name,      x\\,           ''
          name,      '\\',          2
          name,      %,             1
          ^company,  acme,          1
          ^company,  Ac,            1
          ^company,  cme,           ''
          ^company,  %cme,          ''
          ^company,  _cme,          ''
          =email,    anna@example.COM, 1
          =email,    anna@example.co,  ''
          =email,    ____@example.com, ''
          @comment,  Brown,         12
          @comment,  bro,           ''
          @comment,  '"quick brown"',  1
          @comment,  quick brown,   12
          $status,   ^O,            1
          $status,   ^(open|closed)$, 12
          $status,   ^.{6}$,        2
          $status,   pen.,          ''
          """)
  void aLookupReadsItsColumnAndNothingElse(String column, String text, String found)
      throws SQLException {
    assertThat(find(column, text)).isEqualTo(found);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01FZG96YPZK4SANAG1ZM5T2K9Z",
        "01fzg96ypzk4sanag1zm5t2k9z",
        "017fe093-7adf-9932-aaaa-01fd0ba14d3f",
        "017FE093-7ADF-9932-AAAA-01FD0BA14D3F",
        "017fe0937adf9932aaaa01fd0ba14d3f",
        "017FE0937ADF9932AAAA01FD0BA14D3F",
        "{017fe093-7adf-9932-aaaa-01fd0ba14d3f}",
        "urn:uuid:017fe093-7adf-9932-aaaa-01fd0ba14d3f",
        "\"01FZG96YPZK4SANAG1ZM5T2K9Z\"",
        "^01FZG96YPZK4SANAG1ZM5T2K9Z",
      })
  void everyTextOfAnIdentifierFindsItsRow(String text) throws SQLException {
    assertThat(find("#id", text)).isEqualTo("1");
  }

  @Test
  void theBeginningOfAnIdentifierFindsThoseThatBeginSo() throws SQLException {
    Search declared = Search.of(SearchTable.of("shop.orders").column("^id", SearchIds.UUIDS));

    for (String text :
        List.of("01FZG9", "01fzg96ypzk4sanag1zm5t2k", "017fe093-7", "017FE0937ADF")) {
      assertThat(find(declared, text)).as(text).isEqualTo("13");
      assertThat(find(declared, "^" + text)).as(text).isEqualTo("13");
      assertThat(find("#id", "^" + text)).as(text).isEqualTo("13");
      assertThat(find("#id", text)).as(text).isEmpty();
    }
    assertThat(find(declared, "5M")).isEqualTo("2");
    assertThat(find(declared, "B43A")).isEqualTo("2");
    assertThat(find(declared, "zebra")).isEmpty();
    assertThat(find(declared, "^")).isEmpty();
  }

  @Test
  void anIdentifierOfAnyStorageIsFound() throws SQLException {
    database.execute(
        """
        create table items (no int, id uuid, number bigint, code text);
        insert into items values
          (1, '017fe093-7adf-9932-aaaa-01fd0ba14d3f', 123, '01FZG96YPZK4SANAG1ZM5T2K9Z'),
          (2, '017fe093-7adf-9932-aaaa-01fd0ba14d40', 124, '01FZG96YPZK4SANAG1ZM5T2KA0');
        """);
    CollectionSpec payments =
        CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").width(6).build();
    CollectionSpec codes =
        CollectionSpec.builder("codes", Kind.ULID).storage(Kind.Storage.TEXT).build();
    SearchTable items = SearchTable.of("items");

    assertThat(
            numbers(Search.of(items.column("#number", SearchIds.of(payments))), "PM000124", "no"))
        .isEqualTo("2");
    assertThat(numbers(Search.of(items.column("#no", SearchIds.of(payments))), "pm1", "no"))
        .isEqualTo("1");
    assertThat(
            numbers(
                Search.of(items.column("#code", SearchIds.of(codes))),
                "017fe0937adf9932aaaa01fd0ba14d40",
                "no"))
        .isEqualTo("2");
    database.execute("insert into items values (3, null, null, '^a')");
    CollectionSpec opaque = CollectionSpec.builder("opaque", Kind.TEXT).build();
    assertThat(numbers(Search.of(items.column("#code", SearchIds.of(opaque))), "^A", "no"))
        .isEqualTo("3");
  }

  @Test
  void eachTermIsFoundInSomeColumn() throws SQLException {
    Search search =
        Search.of(SearchTable.of("shop.orders").columns("#id", "name", "^company", "$status"));

    assertThat(find(search, "100")).isEqualTo("12");
    assertThat(find(search, "100 acme")).isEqualTo("1");
    assertThat(find(search, "100 acme closed")).isEmpty();
    assertThat(find(search, "01FZG96YPZK4SANAG1ZM5T2K9Z acme")).isEqualTo("1");
    assertThat(find(search, "01FZG96YPZK4SANAG1ZM5T2K9Z bacme")).isEmpty();
  }

  @Test
  void aTermThatNoColumnCanHoldFindsNothingAndAsksNobody() throws SQLException {
    Search search = Search.of(SearchTable.of("shop.orders").columns("#id", "#number"));

    assertThat(search.condition("acme").findsNothing()).isTrue();
    assertThat(search.condition("01FZG96YPZK4SANAG1ZM5T2K9Z acme").findsNothing()).isTrue();
    assertThat(search.condition("acme").sql()).isEqualTo("false");
    assertThat(find(search, "acme")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"01FZG96YPZK4SANAG1ZM5T2K9Z, 1", "acme, 0", "'', 0"})
  void aQueryReturnsTheKeysEvenIfNoRowCanMatch(String text, int rows) throws SQLException {
    Search search = Search.of(SearchTable.of("shop.orders").columns("#id"));
    SearchCondition query = search.query(text, "id");

    assertThat(query.findsNothing()).isEqualTo(rows == 0);
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "select count(*) from shop.orders o where o.id in (" + query.sql() + ")")) {
      query.bind(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(rows);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "\u3000\t", "\"\"", "\" \""})
  void noUsableTermFindsNothing(String text) throws SQLException {
    assertThat(find("name", text)).isEmpty();
    assertThat(Search.of(SearchTable.of("t").columns("name")).condition(text).findsNothing())
        .isTrue();
  }

  @Test
  void joinedRowsFindTheirRowOnce() throws SQLException {
    SearchTable notes = SearchTable.of("shop.notes").columns("note");
    SearchTable orders =
        SearchTable.of("shop.orders").columns("name").join(notes, "order_id", "id");

    for (Search search : withAndWithoutKey(orders, "id")) {
      assertThat(find(search, "called")).isEqualTo("1");
      assertThat(find(search, "called twice again")).isEqualTo("1"); // in two notes
      assertThat(find(search, "called anna")).isEqualTo("1");
      assertThat(find(search, "called bert")).isEmpty();
      assertThat(find(search, "e")).isEqualTo("12");
    }
  }

  @Test
  void joinedTablesMayHaveJoinedTables() throws SQLException {
    SearchTable authors = SearchTable.of("shop.authors").columns("=name");
    SearchTable notes =
        SearchTable.of("shop.notes").columns("=note").join(authors, "author_id", "author_id");
    SearchTable orders = SearchTable.of("shop.orders");

    for (SearchTable joined : List.of(notes, notes.key("note"))) {
      SearchTable all = orders.columns("=status").join(joined, "order_id", "id");
      for (Search search : withAndWithoutKey(all, "id")) {
        assertThat(find(search, "zoe")).isEqualTo("12");
        assertThat(find(search, "yan")).isEqualTo("1");
        assertThat(find(search, "zoe yan open wrote")).isEmpty();
        assertThat(find(search, "zoe yan open \"called twice\"")).isEqualTo("1");
      }
    }
  }

  @Test
  void aTableMayBeJoinedWithItself() throws SQLException {
    database.execute(
        """
        create table parts (number int, name text, part_of int);
        insert into parts values (1, 'car', null), (2, 'wheel', 1), (3, 'rim', 2);
        """);
    SearchTable whole = SearchTable.of("parts").columns("name");
    SearchTable parts = SearchTable.of("parts").columns("name").join(whole, "number", "part_of");

    for (Search search : withAndWithoutKey(parts, "number")) {
      assertThat(find(search, "car")).isEqualTo("12");
      assertThat(find(search, "wheel")).isEqualTo("23");
    }
  }

  @Test
  @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // it would take for ever
  void tablesMayBeJoinedInALongChain() {
    SearchTable chain = SearchTable.of("parts").columns("#id").key("number");
    for (int i = 0; i < 60; i++) {
      chain = SearchTable.of("parts").columns("#id").key("number").join(chain, "number", "part_of");
    }

    assertThat(Search.of(chain).condition("acme").findsNothing()).isTrue();
    assertThat(Search.of(chain).condition("01FZG96YPZK4SANAG1ZM5T2K9Z").binds()).hasSize(61);
  }

  private static List<Search> withAndWithoutKey(SearchTable table, String key) {
    return List.of(Search.of(table), Search.of(table.key(key)));
  }

  @Test
  void aConditionGoesIntoTheStatementOfTheCaller() throws SQLException {
    SearchTable notes = SearchTable.of("shop.notes").columns("note");
    Search search =
        Search.of(
            SearchTable.of("shop.orders").columns("name", "#id").join(notes, "order_id", "id"));
    SearchCondition found = search.condition("called 01FZG96YPZK4SANAG1ZM5T2K9Z", "o");

    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "select o.number from shop.orders o where o.number < ? and "
                    + found.sql()
                    + " and o.number > ?")) {
      statement.setLong(1, 3);
      int next = found.bind(statement, 2);
      statement.setLong(next, 0);
      assertThat(next).isEqualTo(2 + found.binds().size());
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getLong(1)).isEqualTo(1);
        assertThat(rows.next()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "n\0me", "inner.1", "inner.20"})
  void anAliasIsANameThatTheConditionHasNoUseFor(String alias) {
    Search search = Search.of(SearchTable.of("shop.orders").columns("name"));

    for (String text : List.of("", "x")) {
      assertThatThrownBy(() -> search.condition(text, alias))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(Quoted.of(alias));
    }
    assertThatThrownBy(
            () -> Search.of(SearchTable.of("shop.inner.1").columns("name")).condition("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"inner.1\"");
  }

  @Test
  void whatWasFoundDoesNotChange() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      for (String text : List.of("", "anna")) {
        List<Long> found =
            Search.of(SearchTable.of("shop.orders").columns("name"))
                .find(connection, text, 10, row -> row.getLong("number"));
        assertThat(found).isUnmodifiable();
      }
    }
  }

  @Test
  void aColumnOfAnotherTypeThanDeclaredIsTold() throws SQLException {
    SearchIds payments =
        SearchIds.of(CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").build());
    SearchTable notes = SearchTable.of("shop.notes").column("#author_id", payments);
    Search search =
        Search.of(
            SearchTable.of("shop.orders")
                .columns("#name", "^company")
                .join(notes, "order_id", "id"));

    assertThat(find(search, "acme")).isEqualTo("1");
    assertThatThrownBy(() -> find(search, "01FZG96YPZK4SANAG1ZM5T2K9Z"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42883"))
        .hasMessage(
            "search of \"shop\".\"orders\": ERROR: operator does not exist: text = uuid: expected"
                + " \"shop\".\"orders\".\"name\" of uuid, \"shop\".\"notes\".\"author_id\" of bigint,"
                + " joined columns of one type");
  }

  @Test
  void aConfigurationOrCollationThatIsNotThereIsTold() {
    Search search = Search.of(SearchTable.of("shop.orders").columns("@comment"));

    assertThatThrownBy(() -> find(search.withTextSearch("klingon"), "fox"))
        .isInstanceOf(SQLException.class)
        .hasMessage(
            "search of \"shop\".\"orders\": ERROR: text search configuration \"klingon\" does not"
                + " exist");
    assertThatThrownBy(
            () ->
                find(
                    Search.of(SearchTable.of("shop.orders").columns("name"))
                        .withCollation("klingon"),
                    "fox"))
        .isInstanceOf(SQLException.class)
        .hasMessageStartingWith("search of \"shop\".\"orders\": ERROR: collation \"klingon\"")
        .hasMessageNotContaining("Position");
  }

  @Test
  void aTermThatTheDatabaseCannotHoldIsNamed() throws SQLException {
    TestDatabase latin =
        TestServer.NEWEST.createDatabase(
            "encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
    latin.execute("create table cities (name text); insert into cities values ('Évreux')");
    Search search = Search.of(SearchTable.of("cities").columns("name", "$name"));

    try (Connection connection = latin.dataSource().getConnection()) {
      assertThat(search.find(connection, "Évreux", 10, row -> row.getString("name")))
          .containsExactly("Évreux");
      assertThatThrownBy(() -> search.find(connection, "reux Łódź", 10, row -> 1))
          .isInstanceOf(MalformedSearchException.class)
          .hasMessageStartingWith("search term \"Łódź\": ")
          .hasMessageContaining("LATIN1");
      Search plain = Search.of(SearchTable.of("cities").columns("name"));
      assertThatThrownBy(() -> plain.find(connection, "a( Łódź", 10, row -> 1))
          .isInstanceOf(MalformedSearchException.class)
          .hasMessageStartingWith("search term \"Łódź\": ");
    }
  }

  @Test
  void rowsComeInTheOrderAskedForUpToTheLimit() throws SQLException {
    Search search = Search.of(SearchTable.of("shop.orders").columns("name"));

    try (Connection connection = database.dataSource().getConnection()) {
      RowReader<Long> number = row -> row.getLong("number");
      assertThat(search.descendingBy("number").find(connection, "100", 10, number))
          .containsExactly(2L, 1L);
      assertThat(search.ascendingBy("number").find(connection, "100", 1, number))
          .containsExactly(1L);
      assertThat(
              search
                  .ascendingBy("company")
                  .descendingBy("number")
                  .find(connection, "100", 10, number))
          .containsExactly(1L, 2L);
    }
  }

  @Test
  void columnsOfAnyTypeAreSearchedAsText() throws SQLException {
    assertThat(find("id", "AAAA-01FD0")).isEqualTo("13");
    assertThat(find("^number", "3")).isEqualTo("3");
    assertThat(find("=number", "2")).isEqualTo("2");
  }

  @Test
  void fullTextKnowsTheLanguageThatItIsTold() throws SQLException {
    Search simple = Search.of(SearchTable.of("shop.orders").columns("@comment"));
    Search english = simple.withTextSearch("english");

    assertThat(find(simple, "fox")).isEqualTo("1");
    assertThat(find(english, "fox")).isEqualTo("12");
    assertThat(find(english, "foxes")).isEqualTo("12");
    assertThat(find(simple, "the")).isEqualTo("1");
    assertThat(find(simple.withTextSearch("pg_catalog.english"), "fox")).isEqualTo("12");
  }

  @ParameterizedTest
  @ValueSource(strings = {"the", "\"the and of\"", "...", "fox the", "!", "& |", "<->", ":*"})
  void aTermWithoutAWordFindsNothingInFullText(String text) throws SQLException {
    Search english =
        Search.of(SearchTable.of("shop.orders").columns("@comment")).withTextSearch("english");

    assertThat(find(english, text)).isEmpty();
  }

  @Test
  void lettersAreMadeLowerUnderTheCollation() throws SQLException {
    database.execute(
        """
        create table cities (number int, name text collate "C");
        insert into cities values (1, 'ÉVREUX'), (2, 'évreux'), (3, 'Łódź');
        """);
    for (String lookup : List.of("name", "^name", "=name", "$name")) {
      Search search = Search.of(SearchTable.of("cities").columns(lookup));
      Search unicode = search.withCollation("pg_catalog.pg_c_utf8");

      assertThat(find(search, "Évreux")).as(lookup).isEqualTo("1");
      assertThat(find(unicode, "Évreux")).as(lookup).isEqualTo("12");
      assertThat(find(unicode, "łÓDŹ")).as(lookup).isEqualTo("3");
    }
  }

  @Test
  void aSigmaAtTheEndOfATermIsThatAtTheEndOfAWord() throws SQLException {
    database.execute(
        """
        create table heroes (number int, name text);
        insert into heroes values (1, 'οδυσσεύς');
        """);
    Search search =
        Search.of(SearchTable.of("heroes").columns("^name"))
            .withCollation("pg_catalog.pg_unicode_fast");

    assertThat(find(search, "ΟΔΥΣ")).isEmpty();
    assertThat(find(search, "ΟΔΥ")).isEqualTo("1");
    assertThat(find(search, "ΟΔΥΣΣΕΎΣ")).isEqualTo("1");
  }

  @Test
  void whatPostgresqlRefusesIsItsError() {
    database.execute(
        """
        create table books (number int, name text, code text collate "C");
        create table pages (code text collate "POSIX", words text);
        insert into books values (1, 'Emma', 'u');
        insert into pages
          select 'u', string_agg(md5(i::text), ' ') from generate_series(1, 60000) i;
        """);
    SearchTable pages = SearchTable.of("pages");
    SearchTable books =
        SearchTable.of("books").columns("name").join(pages.columns("code"), "code", "code");

    assertThatThrownBy(() -> find(Search.of(books), "u"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42P22"));
    assertThatThrownBy(() -> numbers(Search.of(pages.columns("@words")), "x", "code"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("54000"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'; drop table shop.orders; --",
        "' or '1'='1",
        "\\'; select 1; --",
        "$$; drop table shop.orders; $$",
        "?",
        ":name",
        "/* */",
        "%' or true --",
        "\") or true --"
      })
  void hostileTermsAreLookedForAndNothingElse(String text) throws SQLException {
    for (String column : List.of("name", "^name", "=name", "@comment", "#id")) {
      assertThat(find(column, text)).as(column).isEmpty();
      assertThat(find(column, '"' + text.replace("\"", "") + '"')).as(column).isEmpty();
    }
    assertThat(database.number("select count(*) from shop.orders")).isEqualTo(3);
  }

  @Test
  void hostileNamesAreNames() throws SQLException {
    database.execute(
        """
        create schema "a "" b";
        create table "a "" b"."c'?d" (number int, "n"";--" text, "^odd" text);
        insert into "a "" b"."c'?d" values (1, 'x', 'y');
        """);
    Search search =
        Search.of(
            SearchTable.of("a \" b.c'?d")
                .columns("n\";--", "=^odd")
                .join(SearchTable.of("a \" b.c'?d").columns("$n\";--"), "number", "number"));

    assertThat(find(search, "x")).isEqualTo("1");
    assertThat(find(search, "y")).isEqualTo("1");
    assertThat(find(search, "z")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "#", "^", "n\0me"})
  void aColumnHasAName(String declaration) {
    assertThatThrownBy(() -> SearchTable.of("t").columns(declaration))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("malformed SQL name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"en'glish", "", "English", "a.b.c", "simple'::regconfig", "a b", "x\\"})
  void aConfigurationHasAPlainName(String name) {
    Search search = Search.of(SearchTable.of("t").columns("@a"));

    assertThatThrownBy(() -> search.withTextSearch(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("malformed text search configuration");
  }

  @Test
  void limitsAreExact() throws SQLException {
    String[] names = new String[64];
    Arrays.fill(names, "name");
    SearchTable table = SearchTable.of("shop.orders").columns(names);
    Search search = Search.of(table);

    assertThat(find(search, "1 0 0 % s u r e a n n a 1 0 0")).isEqualTo("1");
    assertThatThrownBy(() -> Search.of(table.columns("name")))
        .hasMessageContaining("expected 1 to 64");
    assertThatThrownBy(() -> Search.of(SearchTable.of("t"))).hasMessageContaining("has 0 columns");
    assertThatThrownBy(() -> search.withTimeout(Duration.ZERO))
        .hasMessageContaining("expected 1 ms");
    assertThatThrownBy(() -> search.withTimeout(Duration.ofHours(1).plusMillis(1)))
        .hasMessageContaining("PT1H");
    try (Connection connection = database.dataSource().getConnection()) {
      for (int limit : new int[] {0, 10_001}) {
        assertThatThrownBy(() -> search.find(connection, "x", limit, row -> 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("expected 1 to 10000");
      }
      assertThat(search.find(connection, "anna", 10_000, row -> 1)).hasSize(1);
    }
  }

  @Test
  void theExampleOfTheDocumentsFindsWhatTheySay() throws SQLException {
    database.execute(
        """
        create table payments (
          id uuid primary key, number bigint, name text, company text, email text, comment text,
          status text);
        create table payment_notes (payment_id uuid, note text);
        insert into payments values
          ('017fe093-7adf-9932-aaaa-01fd0ba14d3f', 123, 'Anna', 'Acme Ltd', 'a@acme.com', 'paid', 'done'),
          ('b43a28cb-a649-426d-ad59-13b2a02894e3', 124, 'Bert', 'Bolt Inc', 'b@bolt.com', 'owed', 'new');
        insert into payment_notes
          select id, n from payments, unnest(array['called', 'called again']) n;
        """);
    CollectionSpec.Face face = new CollectionSpec.Face("pay", "payments");
    CollectionSpec spec =
        CollectionSpec.builder("payments", Kind.SEQUENCE)
            .prefix("PM")
            .width(6)
            .code("p")
            .face(face)
            .build();
    NamespaceSpec ours = new NamespaceSpec("bobsburgers", Optional.of("b"), List.of(spec));
    Puris puris = Puris.of(new Catalog(ours, List.of(), List.of()));
    Keyring keyring = Keyring.of('a', "0123456789abcdef0123456789ABCDEF".getBytes(UTF_8));

    Search search =
        Search.of(
                SearchTable.of("payments")
                    .columns("#id", "name", "^company", "=email", "@comment", "$status")
                    .column(
                        "#number",
                        SearchIds.of(puris, "bobsburgers", "payments").withFaces(keyring))
                    .join(SearchTable.of("payment_notes").columns("note"), "payment_id", "id")
                    .key("id"))
            .descendingBy("id");

    assertThat(find(search, "acme 01FZG96YPZK4SANAG1ZM5T2K9Z")).isEqualTo("123");
    assertThat(find(search, "called")).isEqualTo("124123");
    for (String text :
        List.of(
            "PM000123",
            "123",
            "bobsburgers:payments:PM000123",
            "b.p.123",
            Mask.ofNumbers(keyring, face).show(123L),
            "^01FZG9",
            "nna acm A@acme.com PAID ^do \"called again\"")) {
      assertThat(find(search, text)).as(text).isEqualTo("123");
    }
  }

  @OnServers
  void everyLookupWorksOnEveryMajorVersion(TestServer server) throws SQLException {
    TestDatabase other = server.createDatabase();
    other.execute(SCHEMA);
    SearchTable notes = SearchTable.of("shop.notes").columns("note");
    Search search =
        Search.of(
                SearchTable.of("shop.orders")
                    .columns("#id", "name", "^company", "=email", "@comment", "$status")
                    .column("^id", SearchIds.UUIDS)
                    .join(notes, "order_id", "id")
                    .key("id"))
            .ascendingBy("number");

    try (Connection connection = other.dataSource().getConnection()) {
      RowReader<Long> number = row -> row.getLong("number");
      assertThat(
              search.find(
                  connection,
                  "01FZG96YPZK4SANAG1ZM5T2K9Z nn acm anna@example.com \"quick brown\" ^o.en$ 01FZG9 twice",
                  10,
                  number))
          .containsExactly(1L);
      assertThatThrownBy(() -> search.find(connection, "a(", 10, number))
          .isInstanceOf(MalformedSearchException.class);
    }
  }

  private String find(String column, String text) throws SQLException {
    return find(Search.of(SearchTable.of("shop.orders").columns(column)), text);
  }

  /** The numbers of the orders that are found, one behind the other. */
  private String find(Search search, String text) throws SQLException {
    return numbers(search, text, "number");
  }

  private String numbers(Search search, String text, String column) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return String.join(
          "",
          search
              .withTimeout(Duration.ofMinutes(1))
              .ascendingBy(column)
              .find(connection, text, 100, row -> row.getString(column)));
    }
  }
}
