package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.BY_ID;
import static dev.mintmark.postgres.page.Incidents.BY_TRANSACTION;
import static dev.mintmark.postgres.page.Incidents.BY_WINDOW;
import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.execute;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.Standby;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reading from a hot standby while the primary is written to. */
@Tag("slow")
class StandbyTest {
  private static Standby standby;

  @BeforeAll
  static void start() throws Exception {
    standby = Standby.start();
  }

  @AfterAll
  static void stop() {
    standby.close();
  }

  @BeforeEach
  void createTable() throws SQLException {
    try (Connection primary = standby.connectToPrimary()) {
      execute(primary, "drop table if exists incidents");
      execute(primary, Incidents.TABLE.formatted("uuidv7()"));
    }
  }

  @Test
  void ordersThatNeedAPrimaryAreRefused() throws SQLException {
    standby.catchUp();
    try (Connection reader = standby.connect()) {
      for (PageOrder order : List.of(BY_ID, BY_WINDOW)) {
        assertThatExceptionOfType(PageRefusedException.class)
            .isThrownBy(() -> Incidents.pages(order).read(reader, first(10)))
            .satisfies(e -> assertThat(e.condition()).isEqualTo(Condition.PRIMARY));
      }
      Page<Integer> page = Incidents.pages(BY_ID.orByTransaction("xid")).read(reader, first(10));
      assertThat(page.order()).isEqualTo(BY_TRANSACTION);
    }
  }

  @Test
  void horizonOfThePackIsRefused() throws Exception {
    try (Connection primary = standby.connectToPrimary()) {
      execute(primary, Pack.inSchema(Pack.SCHEMA).sql());
    }
    standby.catchUp();
    try (Connection reader = standby.connect()) {
      assertThatThrownBy(() -> execute(reader, "call mintmark.page_horizon('incidents', null)"))
          .hasMessageContaining("a standby does not know all open transactions");
    }
  }

  @Test
  void windowWouldLoseTheRowOfATransactionThatRuns() throws SQLException {
    try (Connection late = standby.connectToPrimary();
        Connection writer = standby.connectToPrimary();
        Connection reader = standby.connect()) {
      late.setAutoCommit(false);
      insert(late, 1);
      insert(writer, 2);
      standby.catchUp();
      String seen = snapshot(reader);
      late.commit();
      standby.catchUp();
      String until = snapshot(reader);

      String window =
          "select number from incidents where not pg_visible_in_snapshot(xid, '%s') and pg_visible_in_snapshot(xid, '%s')";
      assertThat(numbers(reader, "select number from incidents order by number"))
          .containsExactly(1, 2);
      assertThat(numbers(reader, window.formatted(seen, until))).doesNotContain(1);
    }
  }

  @Test
  void pagesByTransactionLoseNothing() throws SQLException {
    List<Integer> given = new ArrayList<>();
    KeysetPages<Integer> pages = Incidents.pages(BY_TRANSACTION);
    try (Connection late = standby.connectToPrimary();
        Connection prepared = standby.connectToPrimary();
        Connection writer = standby.connectToPrimary();
        Connection reader = standby.connect()) {
      late.setAutoCommit(false);
      insert(writer, 1);
      insert(late, 2);
      execute(late, "savepoint s");
      insert(late, 3);
      execute(prepared, "begin");
      insert(prepared, 4);
      execute(prepared, "prepare transaction 'standby'");
      insert(writer, 5);
      standby.catchUp();

      Page<Integer> page = pages.read(reader, first(10));
      given.addAll(page.rows());
      assertThat(given).containsExactly(1);
      assertThat(page.heldBack()).isTrue();
      late.commit();
      standby.catchUp();
      page = pages.read(reader, after(page, 10));
      given.addAll(page.rows());
      assertThat(given).containsExactly(1, 2, 3);
      execute(prepared, "commit prepared 'standby'");
      standby.catchUp();
      page = pages.read(reader, after(page, 10));
      given.addAll(page.rows());
    }
    assertThat(given).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void cursorOfThePrimaryWaitsOnAStandbyThatIsBehind() throws SQLException {
    KeysetPages<Integer> pages = Incidents.pages(BY_TRANSACTION);
    try (Connection writer = standby.connectToPrimary();
        Connection reader = standby.connect()) {
      insert(writer, 1);
      standby.catchUp();
      execute(reader, "select pg_wal_replay_pause()");
      Page<Integer> ahead;
      try {
        insert(writer, 2);
        ahead = pages.read(writer, first(10));
        assertThat(ahead.rows()).containsExactly(1, 2);

        assertThat(pages.read(reader, after(ahead, 10)).rows()).isEmpty();
        cannotBeReadBackwards(pages, reader, ahead.after());
      } finally {
        execute(reader, "select pg_wal_replay_resume()");
      }
      insert(writer, 3);
      standby.catchUp();
      assertThat(pages.read(reader, after(ahead, 10)).rows()).containsExactly(3);
    }
  }

  @Test
  void cursorOfALaterTimelineWaitsOnAStandbyThatIsBehind() throws SQLException {
    KeysetPages<Integer> pages = Incidents.pages(BY_TRANSACTION);
    try (Connection writer = standby.connectToPrimary();
        Connection reader = standby.connect()) {
      insert(writer, 1);
      insert(writer, 2);
      standby.catchUp();
      Cursors cursors = new Cursors(Incidents.KEYRING);
      CursorState state = cursors.open(pages.read(reader, first(1)).after()).state();
      Origin promoted =
          new Origin(
              Long.toString(
                  Incidents.number(reader, "select system_identifier from pg_control_system()")),
              Optional.of(new HistoryPoint(2, 1)));
      String cursor = Incidents.cursor(reader, BY_TRANSACTION, promoted, state);
      PageRequest request = PageRequest.after(cursor, 10).in("organisation_id", "acme");

      Page<Integer> page = pages.read(reader, request);

      assertThat(page.rows()).isEmpty();
      assertThat(page.after()).isEqualTo(cursor);
      cannotBeReadBackwards(pages, reader, cursor);
    }
  }

  private static void cannotBeReadBackwards(
      KeysetPages<Integer> pages, Connection reader, String cursor) {
    PageRequest request = PageRequest.before(cursor, 10).in("organisation_id", "acme");
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> pages.read(reader, request))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CursorException.Reason.AHEAD_OF_SERVER));
  }

  private static String snapshot(Connection connection) throws SQLException {
    try (PreparedStatement statement =
            connection.prepareStatement("select pg_current_snapshot()::text");
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getString(1);
    }
  }

  private static List<Integer> numbers(Connection connection, String sql) throws SQLException {
    List<Integer> numbers = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        numbers.add(row.getInt(1));
      }
    }
    return numbers;
  }
}
