package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.execute;
import static dev.mintmark.postgres.page.Incidents.insert;
import static dev.mintmark.postgres.page.Incidents.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.ThreadPerTask;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pages that look right but are wrong: each test shows, step by step, how a row is lost or
 * repeated. {@link PageOrder} must not be changed into one of them.
 */
@Tag("database")
class WrongPagesTest {
  private static final long LOCK = 4711;

  /** The earliest start of any transaction. The correct order reads it in a separate statement. */
  private static final String OLDEST_START =
      """
      select least(now(), min(s.xact_start))
      from pg_stat_activity s
      where s.datname = current_database()
      """;

  private static final String ID_OF =
      "(lpad(to_hex(floor(extract(epoch from (%s)) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid";

  private final Incidents incidents = Incidents.create();

  @Test
  void horizonReadAfterTheSnapshotLosesARow() throws Exception {
    try (Connection late = incidents.begin();
        Connection reader = incidents.connect();
        Connection holder = incidents.connect()) {
      insert(late, 1);
      pause();
      incidents.insert(2);
      pause();
      execute(holder, "select pg_advisory_lock(" + LOCK + ")");
      CompletableFuture<List<Integer>> page =
          CompletableFuture.supplyAsync(
              () ->
                  numbers(
                      reader,
                      """
                      with waited as materialized (select pg_advisory_lock_shared(%d)),
                      horizon as materialized (select case when (select count(*) from waited) = 1 then %s end as id)
                      select number from incidents, horizon where incidents.id < horizon.id order by incidents.id
                      """
                          .formatted(LOCK, ID_OF.formatted(OLDEST_START))),
              ThreadPerTask.EXECUTOR);
      awaitWaiter(holder);
      late.commit();
      execute(holder, "select pg_advisory_unlock(" + LOCK + ")");

      // Row 2 was returned, and row 1 is before it: a reader that continues after row 2 never gets
      // it.
      assertThat(page.get()).containsExactly(2);
      assertThat(incidents.database().number("select count(*) from incidents")).isEqualTo(2);
    }
  }

  @Test
  void horizonOfTransactionsWithAnIdAloneLosesARow() throws Exception {
    // The default mints, then the trigger waits. The transaction gets its id only after that.
    incidents
        .database()
        .execute(
            """
            alter table incidents alter column xid drop default, alter column xid drop not null;
            create function wait() returns trigger language plpgsql as $$
              begin perform pg_advisory_xact_lock_shared(%d); return new; end $$;
            create trigger wait before insert on incidents for each row when (new.number = 1) execute function wait();
            """
                .formatted(LOCK));
    try (Connection late = incidents.connect();
        Connection reader = incidents.connect();
        Connection holder = incidents.connect()) {
      execute(holder, "select pg_advisory_lock(" + LOCK + ")");
      CompletableFuture<Void> inserted =
          CompletableFuture.runAsync(() -> insertNow(late, 1), ThreadPerTask.EXECUTOR);
      awaitWaiter(holder);
      pause();
      incidents.insert(2);
      pause();

      String counted =
          numbers(
                  reader,
                  "select number from incidents where id < "
                      + ID_OF.formatted(OLDEST_START + " and s.backend_xid is not null"))
              .toString();
      Page<Integer> right = incidents.read(PageOrder.byMintedId("id"), Incidents.first(10));
      execute(holder, "select pg_advisory_unlock(" + LOCK + ")");
      inserted.get();

      assertThat(counted).isEqualTo("[2]");
      assertThat(right.rows()).isEmpty();
      assertThat(numbers(reader, "select number from incidents order by id")).containsExactly(1, 2);
    }
  }

  @Test
  void idOrderFilteredByTransactionLosesARow() throws Exception {
    String page =
        """
        select number
        from incidents
        where id > '%s' and xid < pg_snapshot_xmin(pg_current_snapshot())
        order by id
        """;
    try (Connection early = incidents.begin();
        Connection late = incidents.begin();
        Connection reader = incidents.connect()) {
      execute(early, "select pg_current_xact_id()");
      insert(late, 1);
      insert(early, 2);
      early.commit();

      List<Integer> first = numbers(reader, page.formatted(new UUID(0, 0)));
      String cursor = incidents.database().text("select id::text from incidents where number = 2");
      late.commit();
      List<Integer> second = numbers(reader, page.formatted(cursor));

      assertThat(first).containsExactly(2);
      assertThat(second).isEmpty();
    }
  }

  @Test
  void xminColumnRepeatsARowThatIsUpdated() throws Exception {
    String page =
        """
        select number
        from incidents
        where xmin::text::bigint > %d
          and xmin::text::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
        order by xmin::text::bigint, id
        """;
    try (Connection reader = incidents.connect()) {
      incidents.insert(1);
      List<Integer> first = numbers(reader, page.formatted(0));
      long cursor = number(reader, "select xmin::text::bigint from incidents");
      incidents.database().execute("update incidents set organisation_id = 'acme'");
      List<Integer> second = numbers(reader, page.formatted(cursor));

      assertThat(first).containsExactly(1);
      assertThat(second).containsExactly(1);
    }
  }

  @Test
  void horizonThatIgnoresPreparedTransactionsLosesARow() throws Exception {
    try (Connection late = incidents.connect();
        Connection reader = incidents.connect()) {
      execute(late, "begin");
      insert(late, 1);
      execute(late, "prepare transaction 'late'");
      try {
        pause();
        incidents.insert(2);
        pause();

        assertThat(
                numbers(
                    reader,
                    "select number from incidents where id < " + ID_OF.formatted(OLDEST_START)))
            .containsExactly(2);
      } finally {
        execute(late, "commit prepared 'late'");
      }
      assertThat(numbers(reader, "select number from incidents order by id")).containsExactly(1, 2);
    }
  }

  /** Waits until later ids have a later millisecond than all ids so far. */
  private void pause() {
    incidents.database().execute("select pg_sleep(0.002)");
  }

  private static void awaitWaiter(Connection connection) throws SQLException {
    while (number(
            connection,
            "select count(*) from pg_locks where locktype = 'advisory' and not granted and objid = "
                + LOCK
                + " and database = (select oid from pg_database where datname = current_database())")
        == 0) {
      Thread.onSpinWait();
    }
  }

  private static void insertNow(Connection connection, int number) {
    try {
      insert(connection, number);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Integer> numbers(Connection connection, String sql) {
    List<Integer> numbers = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        numbers.add(row.getInt(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return numbers;
  }
}
