package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.postgres.TestDatabase;
import dev.mintmark.postgres.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
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

  private String find(String column, String text) throws SQLException {
    return find(Search.of(SearchTable.of("shop.orders").columns(column)), text);
  }

  /** The numbers of the orders that are found, one behind the other. */
  private String find(Search search, String text) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return String.join(
          "",
          search.ascendingBy("number").find(connection, text, 100, row -> row.getString("number")));
    }
  }
}
