package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.before;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.insert;
import static dev.mintmark.postgres.page.Incidents.last;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading forwards and backwards through rows that do not change. */
@Tag("slow")
class WalkingTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final int ROWS = 23;

  private static final PageOrder.MintedId BY_ID =
      Incidents.BY_ID.withClockSlack(Duration.ofMillis(1));

  private final Incidents incidents = Incidents.create(TestServer.NEWEST, DATABASE);
  private final Connection connection;

  WalkingTest() throws SQLException {
    connection = incidents.connect();
  }

  @AfterEach
  void closeConnection() throws SQLException {
    connection.close();
  }

  static Stream<PageOrder> orders() {
    PageOrder.Key group = PageOrder.ascending("team");
    PageOrder.Key time = PageOrder.descending("at");
    PageOrder.Key id = PageOrder.ascending("id");
    return Stream.of(
        BY_ID,
        Incidents.BY_TRANSACTION,
        Incidents.NAIVE,
        PageOrder.plain(PageOrder.descending("id")),
        PageOrder.plain(PageOrder.descending("team"), PageOrder.descending("id")),
        PageOrder.plain(group, time, id),
        PageOrder.plain(time, group, id),
        PageOrder.plain(PageOrder.ascending("open"), group, PageOrder.descending("id")));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void everyRowComesOnceInEitherDirection(PageOrder order) throws SQLException {
    fill();
    List<Integer> expected = expected(order);

    for (int limit : new int[] {1, 4, 23, 24}) {
      List<Integer> forwards = new ArrayList<>();
      Page<Integer> page = read(order, first(limit));
      forwards.addAll(page.rows());
      while (page.hasMore() && forwards.size() <= ROWS) {
        page = read(order, after(page, limit));
        forwards.addAll(page.rows());
      }
      assertThat(forwards).isEqualTo(expected);
      assertThat(page.heldBack()).isFalse();
      assertThat(read(order, after(page, limit)).rows()).isEmpty();

      List<Integer> backwards = new ArrayList<>();
      page = read(order, last(limit));
      backwards.addAll(page.rows());
      while (page.hasMore() && backwards.size() <= ROWS) {
        page = read(order, before(page, limit));
        backwards.addAll(page.rows());
      }
      Collections.reverse(backwards);
      assertThat(backwards).isEqualTo(expected);
      assertThat(read(order, before(page, limit)).rows()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void eitherCursorGoesOnInEitherDirection(PageOrder order) throws SQLException {
    fill();
    List<Integer> expected = expected(order);
    Page<Integer> second = read(order, after(read(order, first(5)), 5));

    assertThat(second.rows()).isEqualTo(expected.subList(5, 10));
    assertThat(rows(order, PageRequest.before(second.after(), 10), true))
        .isEqualTo(expected.subList(0, 10));
    assertThat(rows(order, PageRequest.after(second.before(), 10), false))
        .isEqualTo(expected.subList(5, 15));
    Page<Integer> end = read(order, last(1));
    Page<Integer> empty = read(order, after(end, 1));
    assertThat(empty.rows()).isEmpty();
    assertThat(rows(order, PageRequest.before(empty.before(), 2), true))
        .isEqualTo(expected.subList(21, 23));
    assertThat(rows(order, PageRequest.after(end.before(), 2), false))
        .isEqualTo(expected.subList(22, 23));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void cursorOfAnEmptyTableGoesOnWithWhatComes(PageOrder order) throws SQLException {
    addColumns();
    Page<Integer> none = read(order, first(10));
    Page<Integer> noneFromTheEnd = read(order, last(10));
    assertThat(none.rows()).isEmpty();
    assertThat(none.hasMore() || none.heldBack()).isFalse();
    insertRows();

    assertThat(rows(order, PageRequest.after(none.after(), ROWS), false))
        .isEqualTo(expected(order));
    assertThat(rows(order, PageRequest.after(noneFromTheEnd.before(), ROWS), false))
        .isEqualTo(expected(order));
    assertThat(rows(order, PageRequest.before(none.before(), ROWS), true)).isEmpty();
  }

  @Test
  void settingsOfTheSessionDoNotChangeACursor() throws SQLException {
    fill();
    PageOrder order = PageOrder.plain(PageOrder.ascending("at"), PageOrder.ascending("id"));
    KeysetPages<Integer> pages = Incidents.pages(order);
    Page<Integer> page;
    try (Connection odd = incidents.connect()) {
      Incidents.execute(odd, "set timezone = 'Asia/Kathmandu'; set datestyle = 'ISO, DMY'");
      page = pages.read(odd, first(10));
    }
    try (Connection plain = incidents.connect()) {
      Incidents.execute(plain, "set timezone = 'America/St_Johns'");

      assertThat(pages.read(plain, after(page, 100)).rows())
          .isEqualTo(expected(order).subList(10, ROWS));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"varchar(4)", "char(4)", "short_text", "team_name", "mood"})
  void valueThatTheColumnCannotHoldIsNotCutToOneThatItCan(String type) throws SQLException {
    DATABASE.execute(
        """
        drop domain if exists team_name, short_text; create domain short_text as varchar(4);
        create domain team_name as short_text;
        drop type if exists mood; create type mood as enum ('acme', 'other');
        alter table incidents alter organisation_id drop default;
        """
            + "alter table incidents alter organisation_id type %1$s using organisation_id::%1$s"
                .formatted(type));
    DATABASE.execute("insert into incidents (number, organisation_id) values (1, 'acme')");

    assertThat(read(Incidents.BY_TRANSACTION, first(1)).rows()).containsExactly(1);
    if (!type.equals("mood")) {
      PageRequest longer = PageRequest.first(1).in("organisation_id", "acmeX");
      assertThat(read(Incidents.BY_TRANSACTION, longer).rows()).isEmpty();
    }
  }

  @Test
  void endThatAnOpenTransactionHoldsBackIsSaidSo() throws SQLException {
    for (PageOrder order : List.of(BY_ID, Incidents.BY_TRANSACTION)) {
      try (Connection late = incidents.begin()) {
        insert(late, 1);
        incidents.insert(2);

        assertThat(read(order, first(10)).heldBack()).isTrue();
        assertThat(read(order, last(10)).heldBack()).isTrue();
        assertThat(read(order, first(10)).hasMore()).isFalse();
        late.rollback();
      }
    }
  }

  @Test
  void readerOfTransactionsIsNotHeldBackByThoseThatOnlyRead() throws SQLException {
    try (Connection reading = incidents.begin()) {
      Incidents.number(reading, "select count(*) from incidents");
      incidents.insert(1);

      assertThat(read(Incidents.BY_TRANSACTION, first(10)).rows()).containsExactly(1);
      assertThat(read(BY_ID, first(10)).rows()).isEmpty();
    }
  }

  @Test
  void guaranteeStandsOnThePage() throws SQLException {
    assertThat(read(Incidents.NAIVE, first(1)).guarantee()).isEqualTo(Guarantee.PLAIN);
    for (PageOrder order : List.of(BY_ID, Incidents.BY_TRANSACTION, Incidents.BY_WINDOW)) {
      assertThat(read(order, first(1)).guarantee()).isEqualTo(Guarantee.GAP_FREE);
    }
  }

  private void fill() throws SQLException {
    addColumns();
    insertRows();
  }

  private void addColumns() {
    DATABASE.execute(
        """
        alter table incidents
          add column team varchar(10) not null default '',
          add column at timestamptz not null default now(),
          add column open boolean not null default true
        """);
  }

  private void insertRows() throws SQLException {
    for (int number = 1; number <= ROWS; number++) {
      Incidents.execute(
          connection,
          """
          insert into incidents (number, team, at, open)
          values (%1$d, (array['red', 'Blue', 'grün', ''])[%1$d %% 4 + 1],
            timestamptz '2026-01-01 00:00:00.123456+00' + interval '1 hour' * (%1$d %% 5), %1$d %% 3 = 0)
          """
              .formatted(number));
    }
    DATABASE.execute("insert into incidents (number, organisation_id) values (99, 'other')");
    DATABASE.execute("select pg_sleep(0.003)"); // longer than the slack plus a millisecond
  }

  private List<Integer> expected(PageOrder order) throws SQLException {
    String keys =
        String.join(
            ", ",
            order.keys().stream()
                .map(key -> key.column() + (key.descending() ? " desc" : ""))
                .toList());
    List<Integer> numbers = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select number from incidents where organisation_id = 'acme' order by " + keys)) {
      while (row.next()) {
        numbers.add(row.getInt(1));
      }
    }
    return numbers;
  }

  private Page<Integer> read(PageOrder order, PageRequest request) throws SQLException {
    return Incidents.pages(order).read(connection, request);
  }

  private List<Integer> rows(PageOrder order, PageRequest request, boolean reversed)
      throws SQLException {
    List<Integer> rows = new ArrayList<>(read(order, request.in("organisation_id", "acme")).rows());
    if (reversed) {
      Collections.reverse(rows);
    }
    return rows;
  }
}
