package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mintmark.IdType;
import dev.mintmark.SequenceId;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Terms that no index serves, terms with commas, and terms that are identifiers. */
@Tag("slow")
class ShortTermTest {
  private static final String ID = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
  private static Connection connection;

  @BeforeAll
  static void createTables() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table small (id uuid, name text, status text);
        insert into small values ('%s', 'Tanaka Fox', 'open');
        -- Statistics alone say how many rows a table has.
        create table large (like small);
        insert into large select * from small;
        create table parts (like small) partition by list (status);
        create table part partition of parts default;
        insert into parts select * from small;
        create table numbered (number bigint, name text, status text);
        insert into numbered values (42, 'Tanaka Fox', 'open'), (7, 'room 042', 'open');
        analyze;
        update pg_class set reltuples = 150000 where relname in ('large', 'part', 'numbered');
        """
            .formatted(ID));
    connection = database.dataSource().getConnection();
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "o",
        "ox",
        "\u00e9",
        "\u674e",
        "\ud83d\ude00",
        "%",
        "_",
        "\\",
        "??",
        "$$",
        "--",
        "----",
        "tanaka ox"
      })
  void shortTermIsRefusedInALargeTable(String text) throws SQLException {
    for (String table : List.of("large", "parts")) {
      assertThatExceptionOfType(MalformedSearchException.class)
          .as(table)
          .isThrownBy(() -> count(SearchTable.of(table).columns("#id", "name"), text))
          .withMessageContaining("expected at least 3 characters, with a letter or a digit")
          .withMessageContaining("about 150000 rows");
    }
    Search joined =
        Search.of(
            SearchTable.of("small")
                .columns("#id")
                .join(SearchTable.of("large").columns("name"), "id", "id"));
    assertThatExceptionOfType(MalformedSearchException.class)
        .isThrownBy(() -> joined.bounded(connection, text, bounded -> 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"o", "ox", "a f"})
  void shortTermIsFoundInASmallTableAndByOtherLookups(String text) throws SQLException {
    assertThat(count(SearchTable.of("small").columns("name"), text)).isEqualTo(1);
    assertThat(count(SearchTable.of("large").columns("^name"), "ta")).isEqualTo(1);
    assertThat(count(SearchTable.of("large").columns("name"), "fox")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tanaka, fox              | 1",
        "tanaka,fox               | 1",
        ",,tanaka,                | 1",
        "tanaka,wolf              | 0",
        "open,017fe0937adf9932aaaa01fd0ba14d3f | 1",
        "{017fe093-7adf-9932-aaaa-01fd0ba14d3f} | 1",
        "{017fe093-7adf-9932-aaaa-01fd0ba14d3f},tanaka | 1",
        "urn:uuid:017fe093-7adf-9932-aaaa-01fd0ba14d3f, FOX | 1",
        "^ope{1,2}n$              | 1",
        "\"tanaka,fox\"           | 0"
      })
  void commasSeparateTermsAndBracesAreOfAnIdentifier(String text, int rows) throws SQLException {
    assertThat(count(SearchTable.of("small").columns("#id", "name", "$status"), text))
        .isEqualTo(rows);
  }

  @Test
  void identifierIsNotAPattern() {
    SearchCondition condition =
        Search.of(SearchTable.of("small").columns("#id", "$status")).condition("{" + ID + "}");

    assertThat(condition.sql()).doesNotContain("~*");
    assertThat(Search.of(SearchTable.of("small").columns("$status")).condition(ID).sql())
        .contains("~*");
  }

  @Test
  void shortIdentifierIsNotSearchedInsideValues() throws SQLException {
    SearchTable numbered =
        SearchTable.of("numbered")
            .columns("name", "^status")
            .column("#number", SearchIds.of(IdType.sequences(new SequenceId.Format("PM", 6))));

    assertThat(count(numbered, "42")).isEqualTo(1);
    assertThat(count(numbered, "42 fox")).isEqualTo(1);
    assertThat(count(numbered, "042")).isEqualTo(2);
    assertThat(Search.of(numbered).condition("42").sql())
        .contains("\"number\" = ?", "\"status\"")
        .doesNotContain("\"name\"");
  }

  private static int count(SearchTable table, String text) throws SQLException {
    return Search.of(table).find(connection, text, 10, row -> row.getString("name")).size();
  }
}
