package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.before;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.insert;
import static dev.mintmark.postgres.page.Incidents.last;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.page.CursorException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users of a service that has a database in Brazil, one in Canada and one in Denmark. */
@Tag("long")
class MergedPagesTest {
  private static final TestServer OTHER = TestServer.otherCluster();
  private static final List<TestDatabase> DATABASES =
      List.of(
          TestServer.NEWEST.createDatabase(),
          TestServer.NEWEST.createDatabase(),
          OTHER.createDatabase());
  private static final List<String> NAMES = List.of("br", "ca", "dk");
  private static final PageOrder.MintedId BY_ID =
      Incidents.BY_ID.withClockSlack(Duration.ofMillis(1));

  private final List<Incidents> shards =
      List.of(
          Incidents.create(TestServer.NEWEST, DATABASES.get(0)),
          Incidents.create(TestServer.NEWEST, DATABASES.get(1)),
          Incidents.create(OTHER, DATABASES.get(2)));

  @Test
  void rowsOfAllShardsAreOneListInTheOrderOfTheirIds() throws SQLException {
    for (int number = 1; number <= 30; number++) {
      shards.get(number * 7 % 3).insert(number);
      pause(); // Ids of the same millisecond have no order across servers.
    }

    for (int limit : new int[] {1, 4, 30}) {
      List<Integer> forwards = new ArrayList<>();
      Page<ShardRow<Integer>> page = merged(BY_ID).read(first(limit));
      forwards.addAll(numbers(page));
      while (page.hasMore() && forwards.size() <= 30) {
        page = merged(BY_ID).read(after(page, limit));
        forwards.addAll(numbers(page));
      }
      assertThat(forwards).hasSize(30).isSorted();
      assertThat(page.rows())
          .allSatisfy(row -> assertThat(row.shard()).isEqualTo(NAMES.get(row.row() * 7 % 3)));

      List<Integer> backwards = new ArrayList<>();
      page = merged(BY_ID).read(last(limit));
      backwards.addAll(numbers(page));
      while (page.hasMore() && backwards.size() <= 30) {
        page = merged(BY_ID).read(before(page, limit));
        backwards.addAll(numbers(page));
      }
      Collections.reverse(backwards);
      assertThat(backwards).isEqualTo(forwards);
    }
  }

  @Test
  void transactionThatIsOpenInOneShardHoldsAllBack() throws SQLException {
    Page<ShardRow<Integer>> page;
    try (Connection late = shards.get(2).begin()) {
      insert(late, 1);
      pause();
      shards.get(0).insert(2);
      pause();

      page = merged(BY_ID).read(first(10));
      assertThat(page.rows()).isEmpty();
      assertThat(page.heldBack()).isTrue();
      // Each shard alone would return row 2. A reader that continues from it would lose row 1.
      assertThat(numbers(merged(Incidents.NAIVE).read(first(10)))).containsExactly(2);
      late.commit();
    }
    pause();
    assertThat(numbers(merged(BY_ID).read(after(page, 10)))).containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void readersAreGivenWhatWasCommittedOnce(long seed) throws SQLException {
    Random random = new Random(seed);
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writers.add(new Writer(shards.get(i % 3).begin(), new ArrayList<>()));
    }
    TreeSet<Integer> committed = new TreeSet<>();
    List<Integer> given = new ArrayList<>();
    PageRequest next = first(7);
    for (int step = 1; step <= 250; step++) {
      Writer writer = writers.get(random.nextInt(4));
      switch (random.nextInt(8)) {
        case 0 -> writer.rollBack();
        case 1, 2 -> committed.addAll(writer.commit());
        default -> writer.insertRow(step);
      }
      if (step % 10 == 0) {
        Page<ShardRow<Integer>> page = merged(BY_ID).read(next);
        given.addAll(numbers(page));
        next = after(page, 7);
      }
    }
    for (Writer writer : writers) {
      committed.addAll(writer.commit());
      writer.connection().close();
    }
    pause();
    Page<ShardRow<Integer>> page;
    do {
      page = merged(BY_ID).read(next);
      given.addAll(numbers(page));
      next = after(page, 7);
    } while (page.hasMore() && given.size() <= committed.size());

    assertThat(given)
        .as("seed %d", seed)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(committed);
  }

  @Test
  void idThatIsInTwoShardsIsGivenForEach() throws SQLException {
    for (Incidents shard : shards) {
      shard
          .database()
          .execute(
              "insert into incidents (id, number) values ('01890000-0000-0000-0000-000000000000', %d)"
                  .formatted(shards.indexOf(shard)));
    }
    List<Integer> forwards = new ArrayList<>();
    Page<ShardRow<Integer>> page = merged(BY_ID).read(first(1));
    forwards.addAll(numbers(page));
    while (page.hasMore() && forwards.size() <= 3) {
      page = merged(BY_ID).read(after(page, 1));
      forwards.addAll(numbers(page));
    }

    assertThat(forwards).containsExactly(0, 1, 2);
    assertThat(numbers(merged(BY_ID).read(before(page, 10)))).containsExactly(1, 0);
  }

  @Test
  void unsignedOrderIsThatOfPostgresql() throws SQLException {
    shards
        .get(0)
        .database()
        .execute(
            "insert into incidents (id, number) values ('ff000000-0000-0000-0000-000000000000', 2)");
    shards
        .get(1)
        .database()
        .execute(
            "insert into incidents (id, number) values ('00000000-0000-0000-8000-000000000000', 1)");

    Page<ShardRow<Integer>> page = merged(Incidents.NAIVE).read(first(10));

    assertThat(numbers(page)).containsExactly(1, 2);
    assertThat(page.guarantee()).isEqualTo(Guarantee.PLAIN);
  }

  @Test
  void conditionThatFailsInOneShardRefusesThePage() {
    shards
        .get(1)
        .database()
        .execute("alter table incidents alter column id set default gen_random_uuid()");

    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(() -> merged(BY_ID).read(first(1)))
        .satisfies(
            e -> assertThat(e.condition()).isEqualTo(PageRefusedException.Condition.SERVER_MINTED));
  }

  @Test
  void cursorIsOfTheseShards() throws SQLException {
    Page<ShardRow<Integer>> page = merged(BY_ID).read(first(1));
    MergedPages<Integer> fewer =
        MergedPages.over(Incidents.pages(BY_ID), Map.of("br", source(0), "ca", source(1)));

    for (DataSource single : List.of(source(0), source(1))) {
      assertThatExceptionOfType(CursorException.class)
          .isThrownBy(() -> Incidents.pages(BY_ID).read(single, after(page, 1)))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_PAGES));
    }
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> fewer.read(after(page, 1)))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.OTHER_PAGES));
  }

  @Test
  void ordersThatAreNotByIdAreNotMerged() {
    for (PageOrder order :
        List.of(
            Incidents.BY_TRANSACTION,
            Incidents.BY_WINDOW,
            BY_ID.orByTransaction("xid"),
            PageOrder.plain(PageOrder.descending("id")))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> merged(order))
          .withMessageStartingWith("cannot merge pages in order ");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MergedPages.over(Incidents.pages(BY_ID), Map.of()))
        .withMessage("0 shards: expected 1 to 64");
    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(
            () -> {
              shards.get(0).database().execute("create unique index on incidents (number)");
              merged(PageOrder.plain(PageOrder.ascending("number"))).read(first(1));
            })
        .withMessageContaining("merged by a column of type uuid");
  }

  private record Writer(Connection connection, List<Integer> inserted) {
    void insertRow(int number) throws SQLException {
      insert(connection, number);
      inserted.add(number);
    }

    List<Integer> commit() throws SQLException {
      connection.commit();
      List<Integer> committed = List.copyOf(inserted);
      inserted.clear();
      return committed;
    }

    void rollBack() throws SQLException {
      connection.rollback();
      inserted.clear();
    }
  }

  private MergedPages<Integer> merged(PageOrder order) {
    return MergedPages.over(
        Incidents.pages(order), Map.of("br", source(0), "dk", source(2), "ca", source(1)));
  }

  private DataSource source(int shard) {
    return shards.get(shard).database().dataSource();
  }

  /** Longer than the slack and a millisecond. */
  private void pause() {
    shards.get(0).database().execute("select pg_sleep(0.003)");
  }

  private static List<Integer> numbers(Page<ShardRow<Integer>> page) {
    return page.rows().stream().map(ShardRow::row).toList();
  }
}
