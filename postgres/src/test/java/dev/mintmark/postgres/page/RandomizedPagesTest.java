package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.execute;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * Readers poll while writers begin, insert, set savepoints, prepare, commit and roll back in a
 * random order. There is one step at a time, so that a seed repeats the run.
 */
@Tag("slow")
class RandomizedPagesTest {
  private static final int STEPS = 400;
  private static final int WRITERS = 5;

  private final List<Writer> writers = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private final Set<Integer> committed = new TreeSet<>();
  private int numbers;
  private int preparations;

  @AfterEach
  void nothingStaysPrepared() throws SQLException {
    for (Writer writer : writers) {
      writer.finish();
    }
  }

  @OnServersCsv({"V18, 1", "V18, 2", "V14, 3"})
  void readersAreGivenWhatWasCommittedOnce(TestServer server, long seed) throws SQLException {
    Incidents incidents = Incidents.create(server);
    Random random = new Random(seed);
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new Writer(incidents.connect()));
    }
    PageOrder.MintedId byId = Incidents.BY_ID.withClockSlack(Duration.ofMillis(1));
    for (int limit : new int[] {2, 50}) {
      readers.add(new Reader("by id", byId, limit));
      readers.add(new Reader("by id or transaction", byId.orByTransaction("xid"), limit));
      readers.add(new Reader("by transaction", Incidents.BY_TRANSACTION, limit));
      readers.add(new Reader("by window", Incidents.BY_WINDOW, limit));
    }
    Reader naive = new Reader("naive", Incidents.NAIVE, 50);
    readers.add(naive);
    try (Connection reading = incidents.connect()) {
      for (int step = 0; step < STEPS; step++) {
        writers.get(random.nextInt(WRITERS)).step(random);
        readers.get(random.nextInt(readers.size())).poll(reading);
      }
      nothingStaysPrepared();
      // A millisecond later than the last mint.
      execute(reading, "select pg_sleep(0.005)");
      for (Reader reader : readers) {
        reader.drain(reading);
      }
    }
    readers.remove(naive);

    for (Reader reader : readers) {
      assertThat(reader.given)
          .as("seed %d: %s, %d a page", seed, reader.name, reader.limit)
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrderElementsOf(committed);
    }
    assertThat(naive.given)
        .as("seed %d: naive pages must lose rows, or the run proves nothing", seed)
        .hasSizeLessThan(committed.size());
    assertThat(readers).as("seed %d", seed).anyMatch(reader -> reader.refused > 0);
  }

  /** A session that writes. */
  private final class Writer {
    private final Connection connection;
    private final Set<Integer> inserted = new TreeSet<>();
    private final List<Set<Integer>> savepoints = new ArrayList<>();
    private final Map<String, Set<Integer>> prepared = new HashMap<>();
    private boolean open;

    Writer(Connection connection) {
      this.connection = connection;
    }

    void step(Random random) throws SQLException {
      if (!open) {
        if (!prepared.isEmpty() && random.nextInt(3) > 0) {
          finishPrepared(random.nextInt(4) > 0);
        } else {
          execute(connection, "begin");
          open = true;
        }
        return;
      }
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3 -> insertOne();
        case 4 -> {
          execute(connection, "savepoint s" + savepoints.size());
          savepoints.add(new TreeSet<>(inserted));
        }
        case 5 -> rollBackToSavepoint(random);
        case 6 -> rollBack();
        case 7 -> {
          if (random.nextBoolean() && !inserted.isEmpty()) {
            prepare();
          }
        }
        default -> commit();
      }
    }

    private void insertOne() throws SQLException {
      int number = ++numbers;
      insert(connection, number);
      inserted.add(number);
    }

    private void rollBackToSavepoint(Random random) throws SQLException {
      if (!savepoints.isEmpty()) {
        int to = random.nextInt(savepoints.size());
        execute(connection, "rollback to savepoint s" + to);
        inserted.retainAll(savepoints.get(to));
        savepoints.subList(to, savepoints.size()).clear();
      }
    }

    private void rollBack() throws SQLException {
      execute(connection, "rollback");
      forget();
    }

    private void commit() throws SQLException {
      execute(connection, "commit");
      committed.addAll(inserted);
      forget();
    }

    private void prepare() throws SQLException {
      String name = "prepared" + ++preparations;
      execute(connection, "prepare transaction '" + name + "'");
      prepared.put(name, new TreeSet<>(inserted));
      forget();
    }

    private void finishPrepared(boolean commit) throws SQLException {
      String name = prepared.keySet().iterator().next();
      execute(connection, (commit ? "commit" : "rollback") + " prepared '" + name + "'");
      Set<Integer> rows = prepared.remove(name);
      if (commit) {
        committed.addAll(rows);
      }
    }

    void finish() throws SQLException {
      if (open) {
        commit();
      }
      while (!prepared.isEmpty()) {
        finishPrepared(true);
      }
    }

    private void forget() {
      inserted.clear();
      savepoints.clear();
      open = false;
    }
  }

  /** A client that reads page after page. */
  private static final class Reader {
    private final String name;
    private final KeysetPages<Integer> pages;
    private final int limit;
    private final List<Integer> given = new ArrayList<>();
    private PageRequest next;
    private int refused;
    private boolean more;

    Reader(String name, PageOrder order, int limit) {
      this.name = name;
      this.pages = Incidents.pages(order);
      this.limit = limit;
      this.next = first(limit);
    }

    void poll(Connection connection) throws SQLException {
      try {
        Page<Integer> page = pages.read(connection, next);
        given.addAll(page.rows());
        next = after(page, limit);
        more = page.hasMore() || page.heldBack();
      } catch (PageRefusedException e) {
        assertThat(e.condition())
            .isEqualTo(PageRefusedException.Condition.NO_PREPARED_TRANSACTIONS);
        refused++;
      }
    }

    void drain(Connection connection) throws SQLException {
      more = true;
      for (int polls = 0; more && polls < 10_000; polls++) {
        int had = given.size();
        poll(connection);
        more |= given.size() > had; // a window ends where the next one begins
      }
    }
  }
}
