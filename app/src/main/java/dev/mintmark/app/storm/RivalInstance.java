package dev.mintmark.app.storm;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * An instance of a {@link Rival} in one storm: what the queries of its connections count, and the
 * rejection that they remember if the rival does. Thread-safe; a {@link Query} is for one thread at
 * a time.
 */
final class RivalInstance {
  private static final String DEADLOCK = "40P01";

  /** Errors that are retried: a deadlock, a lock that is not available, a guess that is taken. */
  private static final Set<String> REFUSALS = Set.of(DEADLOCK, "55P03", "23505");

  private final Rival rival;
  private final Storm storm;
  private final int number;
  private final LongSupplier nanoTime;

  /** Synchronized on itself. */
  private final SplittableRandom guesses;

  private final LongAdder statements = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder deadlocks = new LongAdder();

  /** When a query last returned no row. */
  private volatile long emptyNanos;

  /**
   * @param number the number of the instance, from 0
   */
  RivalInstance(Rival rival, Storm storm, int number, LongSupplier nanoTime) {
    this.rival = rival;
    this.storm = storm;
    this.number = number;
    this.nanoTime = nanoTime;
    this.guesses = new SplittableRandom(number);
    this.emptyNanos = nanoTime.getAsLong() - rival.rejectsFor().toNanos();
  }

  /** Returns the statements of all queries. */
  Storm.Effort effort() {
    return new Storm.Effort(statements.sum(), retries.sum(), deadlocks.sum());
  }

  /**
   * Prepares the statement of the rival on a connection.
   *
   * @param schema the schema of the {@link RivalTable}
   */
  Query prepare(Connection connection, String schema) throws SQLException {
    connection.setSchema(schema);
    return new Query(connection.prepareStatement(rival.statement()));
  }

  /** The prepared statement on one connection, which serves one client after another. */
  final class Query implements AutoCloseable {
    private final PreparedStatement statement;

    private Query(PreparedStatement statement) {
      this.statement = statement;
    }

    /**
     * Claims an address for a client, with the retries of the rival.
     *
     * @return empty if the client is rejected
     */
    Optional<String> claim(int client) throws SQLException {
      if (nanoTime.getAsLong() - emptyNanos < rival.rejectsFor().toNanos()) {
        return Optional.empty();
      }
      for (int tries = 1; ; tries++) {
        bind(client);
        statements.increment();
        try (ResultSet granted = statement.executeQuery()) {
          if (granted.next()) {
            return Optional.of(granted.getString(1));
          }
          emptyNanos = nanoTime.getAsLong();
          return Optional.empty();
        } catch (SQLException e) {
          if (e.getSQLState() == null || !REFUSALS.contains(e.getSQLState())) {
            throw e;
          }
          if (DEADLOCK.equals(e.getSQLState())) {
            deadlocks.increment();
          }
        }
        if (tries == rival.triesMax()) {
          return Optional.empty();
        }
        retries.increment();
      }
    }

    private void bind(int client) throws SQLException {
      statement.setLong(1, client);
      switch (rival) {
        case RANDOM_GUESS -> statement.setString(2, storm.addressAt(guess()));
        case STATIC_SHARDS -> {
          statement.setInt(2, storm.instances());
          statement.setInt(3, number);
        }
        default -> {}
      }
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }

  private long guess() {
    synchronized (guesses) {
      return guesses.nextLong(storm.addresses());
    }
  }
}
