package dev.mintmark.testkit;

import dev.mintmark.postgres.RowReader;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * A table of values with the client that holds each, and a claim that is wrong: one of those that
 * have been seen.
 */
final class TableAllocator implements Allocator {
  /** Looks for a free value without a lock; for those who lock, or not, afterwards. */
  private static final String LOOK =
      "select value from planted where free or lease_end <= now() order by value::int limit 1";

  private static final String TAKE =
      "update planted set free = false, client = ?, token = nextval('planted_token'),"
          + " lease_end = now() + nullif(?, '')::bigint * interval '1 millisecond'"
          + " where value %s returning value, token";

  private static final String TAKE_ONE = TAKE.formatted("= ?");

  private static final String TAKE_ANY = TAKE.formatted("= (" + LOOK + " for update skip locked)");

  /** As the article has it, but for the names. */
  private static final String TAKE_ANY_OF_THE_ARTICLE =
      TAKE.formatted(
          "in (select value from planted where free order by random() limit 1"
              + " for update skip locked)");

  private static final String WITHDRAW_ANY =
      "update planted set free = false where value = ("
          + LOOK
          + " for update skip locked) returning value, pg_backend_pid()";

  private static final String RELEASE =
      "update planted set free = true, client = null where value = ? and token = ?";

  private static final String RELEASE_WHOSEVER =
      "update planted set free = true, client = null where value = ? and ?::bigint is not null";

  private final DataSource dataSource;
  private final Claiming claiming;
  private final String release;
  private Runnable inBetween = () -> {};
  private long session;
  private int claims;

  /** How a claim is made, on a connection of its own. */
  private interface Claiming {
    List<Held> claim(TableAllocator table, Connection connection, Call.Claim claim)
        throws SQLException;
  }

  private TableAllocator(DataSource dataSource, Claiming claiming, String release) {
    this.dataSource = dataSource;
    this.claiming = claiming;
    this.release = release;
  }

  /** Looks, locks what it saw, and does not look again before it takes it. */
  static TableAllocator advisoryLockWithoutRecheck(DataSource dataSource) {
    return new TableAllocator(
        dataSource,
        (table, connection, claim) -> {
          String free = query(connection, LOOK, row -> row.getString(1)).get(0);
          table.inBetween();
          query(connection, "select pg_advisory_lock(?::int)", row -> "", free);
          return take(connection, TAKE_ONE, claim, free);
        },
        RELEASE);
  }

  /** The article's query, on a table that has grown since it was analysed. */
  static TableAllocator theArticles(DataSource dataSource) {
    return new TableAllocator(
        dataSource,
        (table, connection, claim) -> {
          // Chance that is the same in every run of the test.
          query(connection, "select setseed(?)", row -> "", ++table.claims / 1_000.0);
          return take(connection, TAKE_ANY_OF_THE_ARTICLE, claim);
        },
        RELEASE);
  }

  /** Takes a value back whoever says so. */
  static TableAllocator releaseWithoutToken(DataSource dataSource) {
    return new TableAllocator(
        dataSource,
        (table, connection, claim) -> take(connection, TAKE_ANY, claim),
        RELEASE_WHOSEVER);
  }

  /** Gives the same client another value when it asks again. */
  static TableAllocator notIdempotent(DataSource dataSource) {
    return new TableAllocator(
        dataSource, (table, connection, claim) -> take(connection, TAKE_ANY, claim), RELEASE);
  }

  /** Says that nothing is free while another session counts for the same owner. */
  static TableAllocator exhaustedIfLocked(DataSource dataSource) {
    return new TableAllocator(
        dataSource,
        (table, connection, claim) -> {
          if (query(connection, "select pg_try_advisory_lock(7)", row -> row.getBoolean(1))
              .contains(false)) {
            return List.of();
          }
          table.inBetween();
          List<Held> taken = take(connection, TAKE_ANY, claim);
          query(connection, "select pg_advisory_unlock(7)", row -> "");
          return taken;
        },
        RELEASE);
  }

  /** Takes the value off the free ones and gives it to the client in two transactions. */
  static TableAllocator inTwoTransactions(DataSource dataSource) {
    return new TableAllocator(
        dataSource,
        (table, connection, claim) -> {
          List<Held> given = new ArrayList<>();
          for (Withdrawn one :
              query(
                  connection,
                  WITHDRAW_ANY,
                  row -> new Withdrawn(row.getString(1), row.getLong(2)))) {
            table.session = one.session;
            table.inBetween();
            given.addAll(take(connection, TAKE_ONE, claim, one.value));
          }
          return given;
        },
        RELEASE);
  }

  private record Withdrawn(String value, long session) {}

  /** Makes the table. The planner goes on thinking that it has one row. */
  void create(int values) {
    run("create sequence planted_token");
    run(
        "create table planted (value text not null, free boolean not null, client text,"
            + " token bigint, lease_end timestamptz) with (autovacuum_enabled = false)");
    run("insert into planted values ('1', true)");
    run("analyze planted");
    run("insert into planted select value, true from generate_series(2, " + values + ") as value");
  }

  /** Does the other in the middle of the claim. */
  void during(Runnable claim, Runnable other) {
    inBetween = other;
    claim.run();
  }

  private void inBetween() {
    Runnable once = inBetween;
    inBetween = () -> {};
    once.run();
  }

  /** Ends the session of the claim that is half done. */
  void terminateItsSession() {
    run("select pg_terminate_backend(" + session + ")");
  }

  @Override
  public Answer claim(Call.Claim claim) {
    List<Held> taken = connected(connection -> claiming.claim(this, connection, claim));
    return taken.isEmpty() ? new Answer.Exhausted() : new Answer.Granted(taken);
  }

  @Override
  public Answer renew(Held held, Duration lease) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Answer release(Held held) {
    List<String> released =
        connected(
            connection ->
                query(
                    connection,
                    release + " returning value",
                    row -> row.getString(1),
                    held.value(),
                    held.token()));
    return released.isEmpty() ? new Answer.Refused() : new Answer.Released();
  }

  @Override
  public PoolCounts counts() {
    return connected(
            connection ->
                query(
                    connection,
                    "select count(*), count(*) filter (where free), count(client) from planted",
                    row ->
                        new PoolCounts(row.getLong(1), row.getLong(2), 0, row.getLong(3), 0, 0, 0)))
        .get(0);
  }

  @Override
  public List<Held> held() {
    return connected(
        connection ->
            query(
                connection,
                "select value, client, token from planted where client is not null"
                    + " and (lease_end is null or lease_end > now())",
                row -> new Held(row.getString(1), row.getString(2), 0, row.getLong(3))));
  }

  private static List<Held> take(
      Connection connection, String sql, Call.Claim claim, Object... value) throws SQLException {
    List<Object> arguments = new ArrayList<>();
    arguments.add(claim.client());
    arguments.add(claim.lease().map(lease -> Long.toString(lease.toMillis())).orElse(""));
    arguments.addAll(List.of(value));
    return query(
        connection,
        sql,
        row -> new Held(row.getString(1), claim.client(), 0, row.getLong(2)),
        arguments.toArray());
  }

  private interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  private <T> T connected(Work<T> work) {
    try (Connection connection = dataSource.getConnection()) {
      return work.with(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void run(String sql) {
    connected(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return statement.execute();
          }
        });
  }

  private static <T> List<T> query(
      Connection connection, String sql, RowReader<T> reader, Object... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      List<T> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(reader.read(result));
        }
      }
      return rows;
    }
  }
}
