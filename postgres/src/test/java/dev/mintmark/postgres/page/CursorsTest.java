package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.BY_ID;
import static dev.mintmark.postgres.page.Incidents.BY_TRANSACTION;
import static dev.mintmark.postgres.page.Incidents.BY_WINDOW;
import static dev.mintmark.postgres.page.Incidents.NAIVE;
import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.secret;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Keyring;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.page.CursorException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("database")
class CursorsTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  private final Incidents incidents = Incidents.create(TestServer.NEWEST, DATABASE);

  @Test
  void cursorIsSafeInAUrlAndShort() throws SQLException {
    incidents.insert(1);
    for (PageOrder order : List.of(BY_ID, BY_TRANSACTION, BY_WINDOW, NAIVE)) {
      Page<Integer> page = incidents.read(order, first(1));

      assertThat(page.after()).matches("[A-Za-z0-9_-]{56,200}");
      assertThat(page.before()).matches("[A-Za-z0-9_-]{56,200}");
    }
  }

  @Test
  void cursorThatIsAlteredAnywhereIsRefused() throws SQLException {
    incidents.insert(1);
    byte[] bytes = Base64.getUrlDecoder().decode(incidents.read(NAIVE, first(1)).after());

    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= 1;
      Reason reason =
          i == 0 ? Reason.UNKNOWN_VERSION : i == 1 ? Reason.UNKNOWN_KEY : Reason.TAMPERED;
      assertThatExceptionOfType(CursorException.class)
          .isThrownBy(() -> incidents.read(NAIVE, request(text(bytes))))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
      bytes[i] ^= 1;
    }
    assertThat(incidents.read(NAIVE, request(text(bytes))).rows()).isEmpty();
  }

  @Test
  void textThatIsNoCursorIsRefused() throws SQLException {
    String cursor = incidents.read(NAIVE, first(1)).after();
    refused("", Reason.MALFORMED, "it has 0 characters: expected 1 to 4096");
    refused("A".repeat(4097), Reason.MALFORMED, "it has 4097 characters: expected 1 to 4096");
    refused("not a cursor!", Reason.MALFORMED, "it is not base64url");
    refused(cursor + "==", Reason.MALFORMED, "it is not base64url");
    refused("01FZG96YPZK4SANAG1ZM5T2K", Reason.UNKNOWN_VERSION, "its version is not 1 or 2");
    refused(cursor.substring(0, 32), Reason.MALFORMED, "it is too short");
    refused(cursor.substring(0, cursor.length() - 4), Reason.TAMPERED, "it was altered");
    refused(cursor + "AAAA", Reason.TAMPERED, "it was altered");
  }

  @Test
  void randomTextIsRefused() {
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = new byte[random.nextInt(100)];
      random.nextBytes(bytes);

      assertThatExceptionOfType(CursorException.class)
          .isThrownBy(() -> new Cursors(Incidents.KEYRING).open(text(bytes)));
    }
  }

  @Test
  void cursorOfAnOlderKeyIsRead() throws SQLException {
    incidents.insert(1);
    Page<Integer> page = incidents.read(NAIVE, first(1));
    Keyring rotated = Keyring.of('b', secret(2)).withOlder('a', secret(1));

    Page<Integer> next = pages(rotated).read(DATABASE.dataSource(), after(page, 1));

    assertThat(next.rows()).isEmpty();
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> pages(Incidents.KEYRING).read(DATABASE.dataSource(), after(next, 1)))
        .withMessage("unusable cursor: it was signed with a key that is not one of [a]");
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(
            () -> pages(Keyring.of('a', secret(3))).read(DATABASE.dataSource(), after(page, 1)))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TAMPERED));
  }

  @Test
  void cursorIsOfOneScopeOrderAndTable() throws SQLException {
    DATABASE.execute(
        "drop schema if exists other cascade; create schema other; create table other.incidents (like incidents including all)");
    String cursor = incidents.read(NAIVE, first(1)).after();
    PageRequest elsewhere = PageRequest.after(cursor, 1).in("organisation_id", "other");
    KeysetPages<Integer> otherTable =
        KeysetPages.of("other.incidents")
            .scopedBy("organisation_id")
            .orderedBy(NAIVE)
            .signedWith(Incidents.KEYRING)
            .reading(List.of("number"), row -> row.getInt(1));

    otherPages(Incidents.pages(NAIVE), elsewhere);
    otherPages(otherTable, request(cursor));
    otherPages(Incidents.pages(BY_ID), request(cursor));
    otherPages(Incidents.pages(PageOrder.plain(PageOrder.descending("id"))), request(cursor));
    assertThat(
            KeysetPages.of("public.incidents")
                .scopedBy("organisation_id")
                .orderedBy(NAIVE)
                .signedWith(Incidents.KEYRING)
                .reading(List.of("id"), row -> row.getString(1))
                .read(DATABASE.dataSource(), request(cursor))
                .rows())
        .isEmpty();
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cursorThatCountsTransactionsIsOfOneCluster(boolean byWindow) throws SQLException {
    PageOrder order = byWindow ? BY_WINDOW : BY_TRANSACTION;
    Incidents otherCluster = Incidents.create(TestServer.otherCluster());
    String cursor = otherCluster.read(order, first(1)).after();
    Cursors cursors = new Cursors(Incidents.KEYRING);

    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> cursors.requireCluster(cursors.open(cursor), origin()))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_CLUSTER));
    cursors.requireCluster(cursors.open(incidents.read(order, first(1)).after()), origin());
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> incidents.read(order, request(foreign(order))))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_CLUSTER));
  }

  @Test
  void cursorOfTheFutureIsRefused() throws SQLException {
    Position future =
        Position.after(List.of("1000000000000", "00000000-0000-0000-0000-000000000000"));
    Snapshot snapshot = new Snapshot(1_000_000_000_000L, 1_000_000_000_000L, List.of());

    for (CursorState state :
        List.of(
            new CursorState.Transaction(future, Optional.empty()),
            new CursorState.Window(Position.START, snapshot, Optional.empty()))) {
      PageOrder order = state instanceof CursorState.Transaction ? BY_TRANSACTION : BY_WINDOW;
      assertThatExceptionOfType(CursorException.class)
          .isThrownBy(() -> incidents.read(order, request(cursor(order, origin(), state))))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.AHEAD_OF_SERVER));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cursorOfAnEarlierReleaseContinues(boolean byWindow) throws SQLException {
    PageOrder order = byWindow ? BY_WINDOW : BY_TRANSACTION;
    incidents.insert(1);
    incidents.insert(2);
    CursorState state = open(incidents.read(order, first(1))).state();

    Page<Integer> page = incidents.read(order, request(cursor(order, origin(), state)));

    assertThat(page.rows()).containsExactly(2);
    assertThat(open(page).history()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cursorOfALaterTimelineOrLogPositionIsRefused(boolean byWindow) throws SQLException {
    PageOrder order = byWindow ? BY_WINDOW : BY_TRANSACTION;
    incidents.insert(1);
    Cursors.Opened read = open(incidents.read(order, first(1)));
    HistoryPoint now = read.history().orElseThrow();
    long future = now.walPosition() + (1L << 40);

    for (HistoryPoint ahead :
        List.of(
            new HistoryPoint(now.timeline() + 1, now.walPosition()),
            new HistoryPoint(now.timeline(), future))) {
      Origin origin = new Origin(origin().cluster(), Optional.of(ahead));
      assertThatExceptionOfType(CursorException.class)
          .isThrownBy(() -> incidents.read(order, request(cursor(order, origin, read.state()))))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.AHEAD_OF_SERVER))
          .withMessageContaining("start again from the first page");
    }
  }

  @Test
  void cursorThatHasSeenNothingContinuesOnEveryTimeline() throws SQLException {
    Origin later = new Origin(origin().cluster(), Optional.of(new HistoryPoint(7, 1L << 60)));
    for (PageOrder order : List.of(BY_TRANSACTION, BY_WINDOW)) {
      String cursor = cursor(order, later, open(incidents.read(order, first(1)).before()).state());
      incidents.insert(1);

      assertThat(incidents.read(order, request(cursor)).rows()).contains(1);
    }
  }

  @Test
  void ordersThatCountNoTransactionsWriteNoHistory() throws SQLException {
    for (PageOrder order : List.of(BY_ID, NAIVE)) {
      assertThat(open(incidents.read(order, first(1))).history()).isEmpty();
    }
  }

  @Test
  void uncheckedPagesKeepTheHistoryOfACursor() throws SQLException {
    incidents.insert(1);
    Page<Integer> page = incidents.read(BY_TRANSACTION, first(1));
    KeysetPages<Integer> unchecked = Incidents.pages(BY_TRANSACTION, AfterFailover.UNCHECKED);

    Page<Integer> next = unchecked.read(DATABASE.dataSource(), after(page, 1));

    assertThat(open(next).history()).isEqualTo(open(page).history());
    assertThat(open(unchecked.read(DATABASE.dataSource(), first(1))).history()).isEmpty();
  }

  @Test
  void cursorOfAThousandOpenTransactionsFits() throws SQLException {
    List<Long> running =
        LongStream.range(0, 1000).map(i -> 5_000_000_000L + i * 100).boxed().toList();
    Snapshot snapshot = new Snapshot(running.get(0), running.get(999) + 1, running);
    CursorState state = new CursorState.Window(Position.START, snapshot, Optional.of(snapshot));
    String cursor = cursor(BY_WINDOW, origin(), state);

    assertThat(new Cursors(Incidents.KEYRING).open(cursor).state()).isEqualTo(state);
  }

  @Test
  void pageWhoseCursorWouldBeTooLongIsRefused() throws SQLException {
    DATABASE.execute(
        "alter table incidents add column name text not null default repeat('n', 4000)");
    incidents.insert(1);
    PageOrder order = PageOrder.plain(PageOrder.ascending("name"), PageOrder.ascending("id"));

    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(() -> incidents.read(order, first(1)))
        .satisfies(
            e -> assertThat(e.condition()).isEqualTo(PageRefusedException.Condition.CURSOR_LENGTH));
  }

  @Test
  void requestHasAValueForEachColumnOfTheScopeAndALimit() {
    for (int limit : new int[] {0, -1, 10_001}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PageRequest.first(limit))
          .withMessage("page of %d rows: expected 1 to 10000", limit);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> incidents.read(NAIVE, PageRequest.first(1)))
        .withMessage("scope: values for columns []: expected one for each of [organisation_id]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> incidents.read(NAIVE, first(1).in("number", 1)))
        .withMessageStartingWith("scope: values for columns [");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> first(1).in("organisation_id", "again"))
        .withMessage("scope: two values for column \"organisation_id\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRequest.first(1).in("at", new Object()))
        .withMessageStartingWith("scope: a value of class java.lang.Object for column \"at\"");
  }

  /** This cluster, without its history, as in the cursors of earlier releases. */
  private static Origin origin() {
    return new Origin(
        DATABASE.text("select system_identifier::text from pg_control_system()"), Optional.empty());
  }

  private String foreign(PageOrder order) throws SQLException {
    CursorState state =
        new Cursors(Incidents.KEYRING).open(incidents.read(order, first(1)).after()).state();
    return cursor(order, new Origin("1", Optional.empty()), state);
  }

  private static String cursor(PageOrder order, Origin origin, CursorState state)
      throws SQLException {
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      return Incidents.cursor(connection, order, origin, state);
    }
  }

  private static Cursors.Opened open(Page<?> page) {
    return open(page.after());
  }

  private static Cursors.Opened open(String cursor) {
    return new Cursors(Incidents.KEYRING).open(cursor);
  }

  private void refused(String cursor, Reason reason, String why) {
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> incidents.read(NAIVE, request(cursor)))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason))
        .withMessageStartingWith("unusable cursor: " + why);
  }

  private static void otherPages(KeysetPages<Integer> pages, PageRequest request) {
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> pages.read(DATABASE.dataSource(), request))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_PAGES));
  }

  private static KeysetPages<Integer> pages(Keyring keyring) {
    return KeysetPages.of("incidents")
        .scopedBy("organisation_id")
        .orderedBy(NAIVE)
        .signedWith(keyring)
        .reading(List.of("number"), row -> row.getInt("number"));
  }

  private static PageRequest request(String cursor) {
    return PageRequest.after(cursor, 1).in("organisation_id", "acme");
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
