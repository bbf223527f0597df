package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.execute;
import static dev.mintmark.postgres.page.Incidents.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;

/** Pages by the pack's {@code page_horizon}, which need nothing but SQL. */
@Tag("long")
class PageHorizonTest {
  private static final int WRITERS = 4;
  private static final int ROWS_OF_A_WRITER = 60;

  private final TestDatabase database = TestServer.NEWEST.createDatabase();
  private final Incidents incidents = withPack(TestServer.NEWEST, database);

  private static Incidents withPack(TestServer server, TestDatabase database) {
    Incidents.installPack(database);
    return Incidents.create(server, database);
  }

  /** A reader that has nothing but a cursor and the horizon of its last page. */
  private static final class Reader implements AutoCloseable {
    private final Connection connection;
    private final List<Integer> given = new ArrayList<>();
    private @Nullable UUID horizon;
    private UUID cursor = new UUID(0, 0);

    Reader(Incidents incidents) throws SQLException {
      connection = incidents.connect();
    }

    void poll() throws SQLException {
      horizon = horizon(connection, horizon);
      readTo("and id < '" + horizon + "'");
    }

    /** The page that loses rows. */
    void pollNaively() throws SQLException {
      readTo("");
    }

    private void readTo(String condition) throws SQLException {
      String page =
          "select id, number from incidents where id > ? %s order by id limit 7"
              .formatted(condition);
      try (PreparedStatement statement = connection.prepareStatement(page)) {
        statement.setObject(1, cursor);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            cursor = row.getObject("id", UUID.class);
            given.add(row.getInt("number"));
          }
        }
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private static UUID horizon(Connection connection, @Nullable UUID before) throws SQLException {
    try (PreparedStatement call =
        connection.prepareStatement("call mintmark.page_horizon('incidents', ?::uuid)")) {
      call.setObject(1, before);
      try (ResultSet row = call.executeQuery()) {
        row.next();
        return row.getObject(1, UUID.class);
      }
    }
  }

  @OnServers
  void rowThatIsCommittedLateIsReturned(TestServer server) throws SQLException {
    Incidents own = withPack(server, server.createDatabase());
    try (Reader reader = new Reader(own);
        Reader naive = new Reader(own)) {
      try (Connection late = own.begin()) {
        insert(late, 1);
        own.insert(2);
        reader.poll();
        naive.pollNaively();
        late.commit();
      }
      own.insert(3);
      for (int polls = 0; polls < 1000 && reader.given.size() < 3; polls++) {
        reader.poll();
        naive.pollNaively();
      }

      assertThat(reader.given).containsExactly(1, 2, 3);
      assertThat(naive.given).as("the page without the horizon").containsExactly(2, 3);
    }
  }

  /** Writers commit in another order than they mint, and roll some rows back. */
  @Test
  void readerAmongWritersReturnsEveryRowOnce() throws Exception {
    long seed = System.nanoTime();
    AtomicInteger writing = new AtomicInteger(WRITERS);
    // A session that starts may hold up the horizon for longer than a poll tries.
    List<Connection> started = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      started.add(incidents.begin());
      started.get(i).commit();
    }
    List<CompletableFuture<List<Integer>>> writers =
        IntStream.range(0, WRITERS)
            .mapToObj(
                writer ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try {
                            return write(started.get(writer), writer, new Random(seed + writer));
                          } finally {
                            writing.decrementAndGet();
                          }
                        },
                        ThreadPerTask.EXECUTOR))
            .toList();
    List<Integer> expected = new ArrayList<>();
    try (Reader reader = new Reader(incidents)) {
      while (writing.get() > 0) {
        reader.poll();
      }
      for (CompletableFuture<List<Integer>> writer : writers) {
        expected.addAll(writer.get());
      }
      for (int polls = 0; polls < 2000 && reader.given.size() < expected.size(); polls++) {
        reader.poll();
      }

      assertThat(reader.given).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static List<Integer> write(Connection started, int writer, Random random) {
    List<Integer> committed = new ArrayList<>();
    try (Connection connection = started) {
      for (int i = 0; i < ROWS_OF_A_WRITER; i++) {
        int number = writer * ROWS_OF_A_WRITER + i;
        insert(connection, number);
        execute(connection, "select pg_sleep(" + random.nextInt(12) / 1000.0 + ")");
        if (random.nextInt(10) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          committed.add(number);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return committed;
  }

  /** In the statement that reads the page, the horizon would be later than the snapshot. */
  @Test
  void horizonCannotBeReadInTheStatementOfThePage() {
    assertThatThrownBy(
            () ->
                database.execute(
                    "select * from incidents where id < mintmark.page_horizon('incidents', null)"))
        .hasMessageContaining("is a procedure");
  }

  /** The tables that pages of Java refuse are refused, and no others. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "alter table incidents alter id set default mintmark.ulid()",
        "alter table incidents alter id set default mintmark.ulid_monotonic()",
        "alter table incidents alter id set default mintmark.uuidv7()",
        "alter table incidents alter id drop default",
        "alter table incidents alter id set default gen_random_uuid()",
        "alter table incidents alter id set default mintmark.ulid(now())",
        "alter table incidents alter id set default coalesce(null, mintmark.ulid())",
        "create function mint() returns uuid language sql as 'select gen_random_uuid()';"
            + " alter table incidents alter id set default mint()",
        "create function public.ulid() returns uuid language sql as 'select gen_random_uuid()';"
            + " alter table incidents alter id set default public.ulid()",
        "create table more (check (number > 5)) inherits (incidents);"
            + " alter table more alter id set default gen_random_uuid()",
        "create function assign() returns trigger language plpgsql as"
            + " 'begin new.id := gen_random_uuid(); return new; end';"
            + " create trigger assign before insert on incidents for each row execute function assign()",
        "create function replace_it() returns trigger language plpgsql as"
            + " 'declare x incidents; begin new := x; return new; end';"
            + " create trigger r before insert on incidents for each row execute function replace_it()",
        "create function other() returns trigger language plpgsql as"
            + " 'begin new.number := 3; return new; end';"
            + " create trigger other before insert on incidents for each row execute function other()",
        "alter table incidents rename to rows; create view incidents as select * from rows",
      })
  void tablesAreRefusedAsByJava(String change) throws SQLException {
    database.execute(change.isEmpty() ? "select 1" : change);

    boolean isRefused = false;
    try {
      incidents.read(Incidents.BY_ID, Incidents.first(1));
    } catch (PageRefusedException e) {
      isRefused = true;
    }
    String refusal =
        database.text("select mintmark.page_refusal('incidents'::regclass, 'id', '{}')");

    assertThat(refusal != null).as(refusal).isEqualTo(isRefused);
    if (isRefused) {
      assertThat(refused()).contains("pages of \"public.incidents\": " + refusal);
    }
  }

  @Test
  void functionsThatAreTrustedMintAndAssign() throws SQLException {
    database.execute(
        """
        create function mint() returns uuid language sql as 'select mintmark.ulid()';
        alter table incidents alter id set default mint();
        create function same() returns trigger language plpgsql as 'begin new := new; return new; end';
        create trigger same before insert on incidents for each row execute function same();
        """);
    assertThat(refused()).contains("defaults to public.mint()");

    database.execute(
        "call mintmark.page_horizon('incidents', null, trusted => '{mint(),same()}'::regprocedure[])");
  }

  @Test
  void oneSnapshotIsRefused() throws SQLException {
    try (Connection reader = incidents.connect()) {
      execute(reader, "begin isolation level repeatable read");
      assertThatThrownBy(() -> horizon(reader, null))
          .hasMessageContaining("expected isolation level read committed");
    }
  }

  @Test
  void roleThatDoesNotSeeOtherSessionsIsRefusedWithTheGrant() throws SQLException {
    database.execute("drop role if exists horizon_reader; create role horizon_reader login");
    try (Connection reader = database.dataSource("horizon_reader").getConnection()) {
      PSQLException refused =
          catchThrowableOfType(PSQLException.class, () -> horizon(reader, null));

      assertThat(refused.getSQLState()).isEqualTo("42501");
      assertThat(refused.getMessage()).contains("grant pg_read_all_stats to horizon_reader");
    } finally {
      database.execute("drop role horizon_reader");
    }
  }

  @Test
  void sessionThatDoesNotReportIsRefused() throws SQLException {
    try (Connection silent = incidents.connect()) {
      execute(silent, "set track_activities = off");
      assertThat(refused()).contains("track_activities off=1");
    }
  }

  @Test
  void preparedTransactionIsRefused() throws SQLException {
    try (Connection writer = incidents.connect()) {
      execute(writer, "begin");
      insert(writer, 1);
      execute(writer, "prepare transaction 'horizon'");
      assertThat(refused()).contains("prepared transactions have no known start");
      execute(writer, "rollback prepared 'horizon'");
    }
  }

  @Test
  void rowsOfAnotherClockAreRefused() {
    database.execute(
        "insert into incidents values ('ffffffff-ffff-4fff-bfff-ffffffffffff', '', 1)");
    assertThat(refused()).contains("ffffffff-ffff-4fff-bfff-ffffffffffff would be held back until");
  }

  @Test
  void clockThatIsBehindTheLastHorizonIsRefused() throws SQLException {
    UUID ahead =
        UUID.fromString(database.text("select mintmark.ulid_min(now() + interval '1 hour')::text"));
    try (Connection reader = incidents.connect()) {
      assertThatThrownBy(() -> horizon(reader, ahead))
          .hasMessageContaining("the server's clock is behind the horizon");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"999 microseconds", "61 minutes", "-1 second"})
  void clockSlackHasLimits(String slack) {
    assertThatThrownBy(
            () ->
                database.execute(
                    "call mintmark.page_horizon('incidents', clock_slack => '" + slack + "')"))
        .hasMessageContaining("expected 1 ms to 1 hour");
  }

  private String refused() {
    Throwable refused =
        catchThrowableOfType(
            RuntimeException.class,
            () -> database.execute("call mintmark.page_horizon('incidents', null)"));
    assertThat(refused).as("no refusal").isNotNull();
    return String.valueOf(refused.getMessage());
  }
}
