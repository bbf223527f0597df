package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.BY_ID;
import static dev.mintmark.postgres.page.Incidents.BY_TRANSACTION;
import static dev.mintmark.postgres.page.Incidents.BY_WINDOW;
import static dev.mintmark.postgres.page.Incidents.NAIVE;
import static dev.mintmark.postgres.page.Incidents.execute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.page.PageLag.Holder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The transactions that hold pages back are named, and what was not looked at is counted. */
@Tag("database")
class PageLagTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  private final Incidents incidents = Incidents.create(TestServer.NEWEST, DATABASE);

  private static PageLag lag(TestDatabase database, PageOrder order) throws SQLException {
    return Incidents.pages(order).lag(database.dataSource());
  }

  @OnServers
  void openTransactionsAreNamedTheOldestFirst(TestServer server) throws SQLException {
    Incidents own = Incidents.create(server);
    TestDatabase database = own.database();
    try (Connection first = own.begin();
        Connection second = own.begin()) {
      execute(first, "set application_name = 'export'");
      Incidents.insert(second, 1);
      int firstPid = pid(first);
      int secondPid = pid(second);

      PageLag byId = lag(database, BY_ID);
      assertThat(byId.holders())
          .extracting(Holder::pid)
          .containsExactly(OptionalInt.of(firstPid), OptionalInt.of(secondPid));
      Holder oldest = byId.holders().get(0);
      assertThat(oldest.applicationName()).isEqualTo("export");
      assertThat(oldest.database()).isEqualTo(database.name());
      assertThat(oldest.preparedAs()).isEmpty();
      Instant since = oldest.since().orElseThrow();
      assertThat(since).isBefore(byId.readAt());
      assertThat(byId.lag()).isEqualTo(Duration.between(since, byId.readAt()));
      assertThat(byId.isComplete()).isTrue();

      // Only transactions that have written hold back the order by transaction, of all databases.
      assertThat(lag(database, BY_TRANSACTION).holders())
          .filteredOn(holder -> holder.database().equals(database.name()))
          .extracting(Holder::pid)
          .containsExactly(OptionalInt.of(secondPid));
      for (PageOrder order : List.of(BY_WINDOW, NAIVE)) {
        assertThat(lag(database, order).holders()).isEmpty();
        assertThat(lag(database, order).lag()).isZero();
      }

      first.rollback();
      second.rollback();
      assertThat(lag(database, BY_ID).holders()).isEmpty();
    }
  }

  @Test
  void transactionOfTheCallerCounts() throws SQLException {
    try (Connection own = incidents.begin()) {
      int pid = pid(own);

      assertThat(Incidents.pages(BY_ID).lag(own).holders())
          .extracting(Holder::pid)
          .containsExactly(OptionalInt.of(pid));
      own.rollback();
      own.setAutoCommit(true);
      assertThat(Incidents.pages(BY_ID).lag(own).holders()).isEmpty();
    }
  }

  @Test
  void whatTheRoleMayNotSeeIsCountedAsNotLookedAt() throws SQLException {
    incidents.database().execute("drop role if exists lag_reader; create role lag_reader login");
    try (Connection writer = incidents.begin();
        Connection reader = incidents.database().dataSource("lag_reader").getConnection()) {
      KeysetPages<Integer> pages = Incidents.pages(BY_ID);

      // A session that was closed is there until the server has ended it.
      PageLag blind = pages.lag(reader);
      long end = System.nanoTime() + Patience.MAX.toNanos();
      while (blind.unseenSessions() > 1 && System.nanoTime() < end) {
        blind = pages.lag(reader);
      }
      assertThat(blind.holders()).isEmpty();
      assertThat(blind.unseenSessions()).isEqualTo(1);
      assertThat(blind.isComplete()).isFalse();

      // That a session has a transaction id can be seen, and not since when.
      Incidents.insert(writer, 1);
      assertThat(pages.lag(reader).holders())
          .singleElement()
          .satisfies(holder -> assertThat(holder.since()).isEmpty());

      incidents.database().execute("grant pg_read_all_stats to lag_reader");
      PageLag seeing = pages.lag(reader);
      assertThat(seeing.holders())
          .singleElement()
          .satisfies(holder -> assertThat(holder.since()).isPresent());
      assertThat(seeing.isComplete()).isTrue();
      writer.rollback();
    } finally {
      incidents.database().execute("drop owned by lag_reader; drop role lag_reader");
    }
  }

  @Test
  void sessionThatReportsNothingIsCountedAsNotLookedAt() throws SQLException {
    try (Connection silent = incidents.connect()) {
      execute(silent, "set track_activities = off");

      assertThat(lag(incidents.database(), BY_ID).unseenSessions()).isEqualTo(1);
    }
  }

  @Test
  void preparedTransactionIsNamed() throws SQLException {
    try (Connection writer = incidents.begin()) {
      Incidents.insert(writer, 1);
      execute(writer, "prepare transaction 'half done'");
      writer.setAutoCommit(true);
      try {
        for (PageOrder order : List.of(BY_ID, BY_TRANSACTION)) {
          assertThat(lag(incidents.database(), order).holders())
              .filteredOn(holder -> holder.pid().isEmpty())
              .singleElement()
              .satisfies(
                  holder -> {
                    assertThat(holder.preparedAs()).contains("half done");
                    assertThat(holder.since()).isPresent();
                  });
        }
      } finally {
        execute(writer, "rollback prepared 'half done'");
      }
    }
  }

  private static int pid(Connection connection) throws SQLException {
    return Math.toIntExact(Incidents.number(connection, "select pg_backend_pid()"));
  }
}
