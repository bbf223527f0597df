package dev.mintmark.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mintmark.Keyring;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.page.CursorException;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.PageOrder;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.domain.KeysetScrollPosition;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Window;
import org.springframework.data.support.WindowIterator;

/** Gap-free pages, read with Spring Data's own iterator. */
@Tag("database")
class PageWindowsTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final Keyring KEYRING =
      Keyring.parse("a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=");

  @BeforeEach
  void createTable() {
    DATABASE.execute(
        """
        drop table if exists incidents;
        create table incidents (
          organisation text not null default 'acme',
          number int not null,
          xid xid8 not null default pg_current_xact_id(),
          unique (organisation, xid, number));
        insert into incidents (number) select generate_series(1, 5);
        insert into incidents values ('other', 9);
        """);
  }

  private static PageWindows<Integer> windows(PageOrder order) {
    return PageWindows.of(
            KeysetPages.of("incidents")
                .scopedBy("organisation")
                .orderedBy(order)
                .signedWith(KEYRING)
                .reading(List.of("number"), row -> row.getInt("number")),
            DATABASE.dataSource())
        .in("organisation", "acme");
  }

  private static PageWindows<Integer> windows() {
    return windows(PageOrder.byTransaction("xid", "number"));
  }

  private static List<Integer> all(ScrollPosition start, int limit) {
    PageWindows<Integer> windows = windows();
    return rest(
        WindowIterator.<Integer>of(position -> windows.scroll(position, limit)).startingAt(start));
  }

  private static List<Integer> rest(Iterator<Integer> rows) {
    List<Integer> read = new ArrayList<>();
    rows.forEachRemaining(read::add);
    return read;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 6})
  void iteratorReadsAllRowsInBothDirections(int limit) {
    assertThat(all(ScrollPosition.keyset(), limit)).containsExactly(1, 2, 3, 4, 5);
    assertThat(all(ScrollPosition.keyset().backward(), limit)).containsExactly(5, 4, 3, 2, 1);
  }

  @Test
  void windowIsInTheOrderOfThePagesAndHasThePositionsOfItsEnds() {
    Window<Integer> last = windows().scroll(ScrollPosition.keyset().backward(), 3);
    assertThat(last.getContent()).containsExactly(3, 4, 5);
    assertThat(last.hasNext()).isTrue();

    KeysetScrollPosition first = (KeysetScrollPosition) last.positionAt(0);
    assertThat(windows().scroll(first, 9).getContent()).containsExactly(1, 2);
    assertThat(windows().scroll(first.reverse(), 9).getContent()).containsExactly(3, 4, 5);
    assertThat(windows().scroll(last.positionAt(2), 9).getContent()).isEmpty();

    assertThat(last.hasPosition(1)).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(() -> last.positionAt(1))
        .withMessage(
            "row 1 of a window of 3 rows has no position: only the first and the last have one");
  }

  @Test
  void rowThatCommitsLateFollowsThePosition() throws SQLException {
    Window<Integer> before;
    try (Connection late = DATABASE.dataSource().getConnection();
        Statement statement = late.createStatement()) {
      late.setAutoCommit(false);
      statement.execute("insert into incidents (number) values (6)");
      DATABASE.execute("insert into incidents (number) values (7)");

      before = windows().scroll(ScrollPosition.keyset(), 9);
      assertThat(before.getContent()).containsExactly(1, 2, 3, 4, 5);
      assertThat(before.hasNext()).isFalse();
      late.commit();
    }

    assertThat(windows().scroll(before.positionAt(4), 9).getContent()).containsExactly(6, 7);
  }

  @Test
  void clientsHoldTheCursor() {
    ScrollPosition second = windows().scroll(ScrollPosition.keyset(), 2).positionAt(1);
    String cursor = PageWindows.cursor(second).orElseThrow();

    assertThat(windows().scroll(PageWindows.after(cursor), 9).getContent())
        .containsExactly(3, 4, 5);
    assertThat(windows().scroll(PageWindows.before(cursor), 9).getContent()).containsExactly(1, 2);
    assertThat(PageWindows.cursor(ScrollPosition.keyset())).isEmpty();
  }

  @Test
  void pagesByWindowAreReadForwards() {
    PageWindows<Integer> windows = windows(PageOrder.byWindow("xid", "number"));
    Iterator<Integer> rows =
        WindowIterator.<Integer>of(position -> windows.scroll(position, 2))
            .startingAt(ScrollPosition.keyset());

    assertThat(rest(rows)).containsExactly(1, 2, 3, 4, 5);
    assertThat(windows.scroll(ScrollPosition.keyset(), 2).hasPosition(0)).isFalse();
  }

  @Test
  void positionsOfOtherOriginAreRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> windows().scroll(ScrollPosition.offset(), 9))
        .withMessageContaining("expected a keyset position");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> windows().scroll(ScrollPosition.forward(Map.of("id", 1)), 9))
        .withMessageContaining("position with the keys [id]");
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> windows().scroll(PageWindows.after("forged"), 9));
  }

  @Test
  void failureOfTheDatabaseIsThatOfSpring() {
    KeysetPages<Integer> pages =
        KeysetPages.of("incidents")
            .orderedBy(PageOrder.byTransaction("xid", "number"))
            .signedWith(KEYRING)
            .reading(List.of("missing"), row -> row.getInt("missing"));
    DATABASE.execute("create unique index on incidents (xid, number)");

    assertThatExceptionOfType(DataAccessException.class)
        .isThrownBy(
            () -> PageWindows.of(pages, DATABASE.dataSource()).scroll(ScrollPosition.keyset(), 9));
  }
}
