package dev.mintmark.app.storm;

import dev.mintmark.Block;
import dev.mintmark.testkit.StartGate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Rival} in a storm: its table, and a thread for each instance that serves one client
 * after another on the connection of the instance. Its tables are in a separate schema, which is
 * dropped at the end.
 */
final class RivalAllocator implements Storm.Allocator {
  private static final int INSERT_BATCH = 10_000;

  private static final String DEADLOCK = "40P01";

  /** Errors that are retried: a deadlock, a lock that is not available, a guess that is taken. */
  private static final Set<String> REFUSALS = Set.of(DEADLOCK, "55P03", "23505");

  private final Storm storm;
  private final Rival rival;
  private final List<? extends DataSource> instances;
  private final String schema;
  private final LongAdder statements = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder deadlocks = new LongAdder();

  /**
   * @param schema created here; a rehearsal and the storm after it use the same name, so that the
   *     prepared statements of the connections stay valid
   */
  RivalAllocator(Storm storm, Rival rival, String schema, List<? extends DataSource> instances) {
    this.storm = storm;
    this.rival = rival;
    this.schema = schema;
    this.instances = instances;
    try (Connection connection = instances.get(0).getConnection()) {
      execute(connection, "create schema " + schema);
      connection.setSchema(schema);
      execute(connection, rival.table().ddl());
      if (rival.table().isSeeded()) {
        seed(connection);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the rival's table: " + e.getMessage(), e);
    }
  }

  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    AtomicReference<@Nullable SQLException> failure = new AtomicReference<>();
    StartGate gate =
        StartGate.of(storm.busyInstances(), "rival", instance -> serve(instance, log, failure));
    log.start();
    gate.go();
    gate.await(() -> progress.accept(log.answered()));
    log.end();
    SQLException failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException(
          "the rival %s failed: %s".formatted(rival.label(), failed.getMessage()), failed);
    }
  }

  private void serve(int instance, AnswerLog log, AtomicReference<@Nullable SQLException> failure) {
    try (Connection connection = instances.get(instance).getConnection()) {
      connection.setSchema(schema);
      try (PreparedStatement statement = connection.prepareStatement(rival.statement())) {
        SplittableRandom guesses = new SplittableRandom(instance);
        for (int client = instance;
            client < storm.clients() && failure.get() == null;
            client += storm.busyInstances()) {
          Optional<String> granted = claim(statement, instance, client, guesses);
          if (granted.isPresent()) {
            log.granted(client, granted.get());
          } else {
            log.rejected(client);
          }
        }
      }
    } catch (SQLException e) {
      failure.set(e);
    }
  }

  private Optional<String> claim(
      PreparedStatement statement, int instance, int client, SplittableRandom guesses)
      throws SQLException {
    for (int tries = 1; ; tries++) {
      bind(statement, instance, client, guesses);
      statements.increment();
      try (ResultSet granted = statement.executeQuery()) {
        return granted.next() ? Optional.of(granted.getString(1)) : Optional.empty();
      } catch (SQLException e) {
        if (!REFUSALS.contains(e.getSQLState())) {
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

  private void bind(PreparedStatement statement, int instance, int client, SplittableRandom guesses)
      throws SQLException {
    statement.setLong(1, client);
    switch (rival) {
      case RANDOM_GUESS -> statement.setString(2, address(guesses.nextLong(storm.addresses())));
      case STATIC_SHARDS -> {
        statement.setInt(2, storm.instances());
        statement.setInt(3, instance);
      }
      default -> {}
    }
  }

  private String address(long place) {
    long within = place;
    for (Block block : storm.pool().blocks()) {
      if (within < block.size()) {
        return block.valueAt(within);
      }
      within -= block.size();
    }
    throw new IllegalArgumentException("no address at place " + place);
  }

  @Override
  public Storm.Effort effort() {
    return new Storm.Effort(statements.sum(), retries.sum(), deadlocks.sum());
  }

  @Override
  public void close() {
    try (Connection connection = instances.get(0).getConnection()) {
      execute(connection, "drop schema " + schema + " cascade");
    } catch (SQLException e) {
      throw new IllegalStateException("the rival's schema: " + e.getMessage(), e);
    }
  }

  private void seed(Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into ip_address (id, ip) values (?, ?::inet)")) {
      long addresses = storm.addresses();
      for (long place = 0; place < addresses; place++) {
        insert.setLong(1, place + 1);
        insert.setString(2, address(place));
        insert.addBatch();
        if ((place + 1) % INSERT_BATCH == 0) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
