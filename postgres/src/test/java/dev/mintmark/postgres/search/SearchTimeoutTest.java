package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Quoted;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class SearchTimeoutTest {
  /** Takes hours on the row that the tests search in. */
  private static final String HOSTILE = "^(.+)(.+)(.+)(.+)x\\1\\2\\3\\4y$";

  private final TestDatabase database = TestServer.NEWEST.createDatabase();
  private final Search search =
      Search.of(SearchTable.of("orders").columns("$status")).withTimeout(Duration.ofMinutes(1));
  private final Search hasty = search.withTimeout(Duration.ofMillis(200));

  @BeforeAll
  void createTable() {
    database.execute(
        """
        create table orders (number bigint, status text);
        insert into orders values
          (1, repeat('a', 500) || 'x' || repeat('a', 499) || 'y'), (2, 'open');
        """);
  }

  @Test
  void aHostilePatternIsStopped() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      assertThatThrownBy(() -> find(hasty, connection, HOSTILE))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("search of \"orders\" for " + Quoted.of(HOSTILE))
          .hasMessageContaining("stopped after 200 ms");

      assertThat(find(search, connection, "OPEN")).isEqualTo(2);
      assertThat(timeout(connection)).isEqualTo("0");
      assertThat(connection.getAutoCommit()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a(",
        "(?<n>a)",
        "[",
        "*a",
        "a{2,1}",
        "\\",
        "a{1,1000}",
        "[[:nothing:]]",
        "((((a{1,255}){1,255}){1,255}){1,255}){1,255}"
      })
  void aMalformedPatternIsNamed(String term) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      assertThatThrownBy(() -> find(search, connection, "open " + term + " ^o"))
          .isInstanceOf(MalformedSearchException.class)
          .hasMessageStartingWith("search term " + Quoted.of(term) + ": ")
          .hasMessageContaining("regular expression")
          .hasCauseInstanceOf(SQLException.class);

      assertThat(find(search, connection, "^open$")).isEqualTo(2);
    }
  }

  @Test
  void aTransactionGoesOnAsItWas() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      execute(connection, "set local statement_timeout = '90s'");
      execute(connection, "create temp table mine (id int)");

      assertThat(find(search, connection, "open")).isEqualTo(2);
      assertThat(timeout(connection)).isEqualTo("90s");
      assertThatThrownBy(() -> find(hasty, connection, HOSTILE))
          .isInstanceOf(SQLTimeoutException.class);
      assertThat(timeout(connection)).isEqualTo("90s");
      assertThatThrownBy(() -> find(search, connection, "a("))
          .isInstanceOf(MalformedSearchException.class);
      assertThat(timeout(connection)).isEqualTo("90s");
      assertThat(connection.getAutoCommit()).isFalse();

      execute(connection, "insert into mine values (1)");
      connection.commit();
      assertThat(timeout(connection)).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1500ms", "3s", "2min", "5h", "1d", "0"})
  void aTighterBoundOfTheSessionStays(String session) throws SQLException {
    Search patient = search.withTimeout(Duration.ofMinutes(2));
    try (Connection connection = database.dataSource().getConnection()) {
      execute(connection, "set statement_timeout = '" + session + "'");

      String bound = patient.bounded(connection, "", SearchTimeoutTest::timeout);

      assertThat(bound)
          .isEqualTo(session.equals("1500ms") || session.equals("3s") ? session : "2min");
      assertThat(timeout(connection)).isEqualTo(session);
    }
  }

  @Test
  void theTighterBoundOfTheSessionIsWhatStoppedIt() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      execute(connection, "set statement_timeout = '1s'");

      assertThatThrownBy(() -> find(search, connection, HOSTILE))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("stopped after 1000 ms");
    }
  }

  @Test
  void statementsOfTheCallerAreBoundedTooAndTheirChangesStay() throws SQLException {
    database.execute("create table log (entry text)");
    SearchCondition found = search.condition("open");
    try (Connection connection = database.dataSource().getConnection()) {
      for (boolean autoCommit : new boolean[] {true, false}) {
        connection.setAutoCommit(autoCommit);
        boolean done =
            search.bounded(
                connection,
                "open",
                bounded -> {
                  execute(bounded, "insert into log values ('searched')");
                  return found.binds().size() == 1;
                });
        assertThat(done).isTrue();
      }
      connection.commit();
      connection.setAutoCommit(true);
      assertThatThrownBy(
              () ->
                  hasty.bounded(
                      connection,
                      "open",
                      bounded -> {
                        execute(bounded, "insert into log values ('lost')");
                        execute(bounded, "select pg_sleep(60)");
                        return 0;
                      }))
          .isInstanceOf(SQLTimeoutException.class);
    }
    assertThat(database.text("select string_agg(entry, ' ') from log"))
        .isEqualTo("searched searched");
  }

  @Test
  void anotherErrorOfTheWorkIsItsOwn() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () ->
                  search.bounded(
                      connection,
                      "open",
                      bounded -> {
                        execute(bounded, "select 1 / 0");
                        return 0;
                      }))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("division by zero");
      assertThatThrownBy(
              () ->
                  search.bounded(
                      connection,
                      "open",
                      bounded -> {
                        execute(bounded, "select 'x' ~ 'a('");
                        return 0;
                      }))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("regular expression");
      assertThat(find(search, connection, "open")).isEqualTo(2);
    }
  }

  @Test
  void aTimeoutOfASearchInsideAnotherIsToldOnce() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      assertThatThrownBy(
              () -> search.bounded(connection, "outer", bounded -> find(hasty, bounded, HOSTILE)))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessage(
              "search of \"orders\" for %s: stopped after 200 ms: use longer or rarer terms, or create indexes"
                  .formatted(Quoted.of(HOSTILE)));
    }
  }

  @Test
  void workThatEndsTheTransactionOfTheCallerIsTold() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () ->
                  search.bounded(
                      connection,
                      "open",
                      bounded -> {
                        bounded.commit();
                        return 0;
                      }))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("3B001"))
          .hasMessage(
              "search of \"orders\" for \"open\": the work ended its transaction,"
                  + " which is not allowed");
    }
  }

  @Test
  void aSearchThatSomebodyElseStoppedIsNoTimeout() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      assertThatThrownBy(
              () ->
                  search
                      .withTimeout(Duration.ofHours(1))
                      .bounded(
                          connection,
                          "open",
                          bounded -> {
                            execute(bounded, "select pg_cancel_backend(pg_backend_pid())");
                            return 0;
                          }))
          .isInstanceOf(SQLException.class)
          .isNotInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("user request");
    }
  }

  private static long find(Search search, Connection connection, String text) throws SQLException {
    return search.find(connection, text, 1, row -> row.getLong("number")).stream()
        .findFirst()
        .orElse(0L);
  }

  private static String timeout(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("show statement_timeout")) {
      result.next();
      return result.getString(1);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
