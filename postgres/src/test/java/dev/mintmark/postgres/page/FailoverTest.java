package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.BY_ID;
import static dev.mintmark.postgres.page.Incidents.BY_TRANSACTION;
import static dev.mintmark.postgres.page.Incidents.BY_WINDOW;
import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.before;
import static dev.mintmark.postgres.page.Incidents.execute;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.fixtures.Standby;
import dev.mintmark.postgres.page.CursorException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cursors after a standby was promoted that had not received the last commits: incidents 1 and 2
 * are on both servers, 3 to 5 on the former primary alone, 6 to 14 on the promoted one alone, where
 * the first of them have the transaction ids of 3 to 5.
 */
@Tag("slow")
class FailoverTest {
  private static final int LIMIT = 100;
  private static final PageOrder BY_ID_OR_TRANSACTION = BY_ID.orByTransaction("xid");

  private static Standby standby;
  private static Page<Integer> replicatedByTransaction;
  private static Page<Integer> emptyByTransaction;
  private static Page<Integer> lostByTransaction;
  private static Page<Integer> lostByWindow;
  private static Page<Integer> lostById;
  private static Page<Integer> ofTheStandby;

  @BeforeAll
  static void failOver() throws Exception {
    standby = Standby.start();
    try (Connection former = standby.connectToPrimary()) {
      execute(former, Incidents.TABLE.formatted("uuidv7()"));
      emptyByTransaction = read(BY_TRANSACTION, former, first(LIMIT));
      insert(former, 1);
      insert(former, 2);
      replicatedByTransaction = read(BY_TRANSACTION, former, first(LIMIT));
      standby.catchUp();
      try (Connection replica = standby.connect()) {
        ofTheStandby = read(BY_ID_OR_TRANSACTION, replica, first(LIMIT));
      }
      standby.detach();
      for (int number = 3; number <= 5; number++) {
        insert(former, number);
      }
      lostByTransaction = read(BY_TRANSACTION, former, first(LIMIT));
      lostByWindow = read(BY_WINDOW, former, first(LIMIT));
      lostById = readAllById(former, first(LIMIT));
    }
    standby.promote();
    try (Connection promoted = standby.connect()) {
      for (int number = 6; number <= 14; number++) {
        insert(promoted, number);
      }
    }
  }

  @AfterAll
  static void stop() {
    standby.close();
  }

  @Test
  void uncheckedCursorSkipsRows() throws SQLException {
    try (Connection promoted = standby.connect()) {
      List<Integer> rows =
          Incidents.pages(BY_TRANSACTION, AfterFailover.UNCHECKED)
              .read(promoted, after(lostByTransaction, LIMIT))
              .rows();

      assertThat(lostByTransaction.rows()).containsExactly(1, 2, 3, 4, 5);
      assertThat(rows).isNotEmpty().doesNotContain(6, 7);
    }
  }

  @Test
  void cursorFromBeforeTheFailoverIsRefused() throws SQLException {
    try (Connection promoted = standby.connect()) {
      for (Page<Integer> page : List.of(lostByTransaction, replicatedByTransaction)) {
        failedOver(BY_TRANSACTION, promoted, after(page, LIMIT))
            .withMessageContaining("it was read on timeline 1, and the database is on timeline 2")
            .withMessageContaining("start again from the first page, or declare");
        failedOver(BY_TRANSACTION, promoted, before(page, LIMIT));
      }
      failedOver(BY_ID_OR_TRANSACTION, promoted, after(ofTheStandby, LIMIT));
      failedOver(BY_WINDOW, promoted, after(lostByWindow, LIMIT))
          .withMessageEndingWith("start again from the first page");
    }
  }

  @Test
  void firstPageAndItsCursorAreOfTheNewTimeline() throws SQLException {
    try (Connection promoted = standby.connect()) {
      for (PageOrder order : List.of(BY_TRANSACTION, BY_WINDOW)) {
        Page<Integer> page = read(order, promoted, first(4));
        assertThat(page.rows()).containsExactly(1, 2, 6, 7);
        assertThat(read(order, promoted, after(page, 2)).rows()).containsExactly(8, 9);
      }
      assertThat(read(BY_TRANSACTION, promoted, after(emptyByTransaction, 1)).rows())
          .containsExactly(1);
    }
  }

  @Test
  void trustedCursorContinues() throws SQLException {
    KeysetPages<Integer> trusting = Incidents.pages(BY_TRANSACTION, AfterFailover.TRUST);
    try (Connection promoted = standby.connect()) {
      Page<Integer> page = trusting.read(promoted, after(replicatedByTransaction, 3));

      assertThat(page.rows()).containsExactly(6, 7, 8);
      assertThat(read(BY_TRANSACTION, promoted, after(page, 1)).rows()).containsExactly(9);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REFUSE", "TRUST"})
  void cursorOfThePromotedServerIsRefusedByTheFormerPrimary(AfterFailover afterFailover)
      throws SQLException {
    KeysetPages<Integer> pages = Incidents.pages(BY_TRANSACTION, afterFailover);
    try (Connection promoted = standby.connect();
        Connection former = standby.connectToPrimary()) {
      Page<Integer> page = pages.read(promoted, first(3));

      assertThatExceptionOfType(CursorException.class)
          .isThrownBy(() -> pages.read(former, after(page, 1)))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.AHEAD_OF_SERVER))
          .withMessageContaining("it was read on timeline 2, and this primary is on timeline 1");
    }
  }

  @Test
  void cursorByIdContinues() throws SQLException {
    try (Connection promoted = standby.connect()) {
      assertThat(lostById.rows()).containsExactly(1, 2, 3, 4, 5);
      assertThat(readAllById(promoted, after(lostById, LIMIT)).rows())
          .containsExactly(6, 7, 8, 9, 10, 11, 12, 13, 14);
    }
  }

  @Test
  void pagesByWindowCannotTrustAFailover() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Incidents.pages(BY_WINDOW, AfterFailover.TRUST))
        .withMessageStartingWith("pages of \"incidents\": pages by window cannot trust a failover");
  }

  private static Page<Integer> read(PageOrder order, Connection connection, PageRequest request)
      throws SQLException {
    return Incidents.pages(order).read(connection, request);
  }

  /** Reads until no row is held back by the slack of the clock. */
  private static Page<Integer> readAllById(Connection connection, PageRequest request)
      throws SQLException {
    Page<Integer> page;
    do {
      page = read(BY_ID, connection, request);
    } while (page.heldBack());
    return page;
  }

  private static ThrowableAssertAlternative<CursorException> failedOver(
      PageOrder order, Connection connection, PageRequest request) {
    return assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> read(order, connection, request))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.FAILED_OVER));
  }
}
