package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row whose transaction commits after a later row was read. */
@Tag("slow")
class LateCommitTest {
  /** The rows that a reader gets if it first reads when row 2 is committed but row 1 is not. */
  private static List<Integer> readAround(Incidents incidents, PageOrder order)
      throws SQLException {
    List<Integer> given = new ArrayList<>();
    Page<Integer> page;
    try (Connection late = incidents.begin()) {
      insert(late, 1);
      incidents.insert(2);
      page = incidents.read(order, first(10));
      given.addAll(page.rows());
      late.commit();
    }
    incidents.insert(3);
    for (int polls = 0; polls < 1000 && (page.heldBack() || polls == 0); polls++) {
      page = incidents.read(order, after(page, 10));
      given.addAll(page.rows());
    }
    return given;
  }

  @Test
  void naivePageLosesIt() throws SQLException {
    assertThat(readAround(Incidents.create(), Incidents.NAIVE)).containsExactly(2, 3);
  }

  @OnServers
  void pageByMintedIdGivesIt(TestServer server) throws SQLException {
    assertThat(readAround(Incidents.create(server), Incidents.BY_ID)).containsExactly(1, 2, 3);
  }

  @OnServers
  void pageByTransactionGivesIt(TestServer server) throws SQLException {
    assertThat(readAround(Incidents.create(server), Incidents.BY_TRANSACTION))
        .containsExactly(1, 2, 3);
  }

  @OnServers
  void pageByWindowGivesItWithoutWaiting(TestServer server) throws SQLException {
    assertThat(readAround(Incidents.create(server), Incidents.BY_WINDOW)).containsExactly(2, 1, 3);
  }
}
