package dev.mintmark.verify.bench;

import dev.mintmark.Ulid;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * Clients of the shop that know nothing of its migration, and go on all the while: at a steady
 * rate, whatever the answers take, so that whoever would have come during a stall is counted too.
 * Half read an order by its key, a fifth an order with its lines; a fifth add an order with three
 * lines, a tenth change one. Statements are prepared once and kept, as connection pools do; every
 * other client has the driver's {@code autosave=conservative}.
 */
final class MigrationLoad implements AutoCloseable {
  private static final int CLIENTS = 20;
  private static final String AUTOSAVING = "with autosave=conservative: ";
  private static final int KEYS = 20_000;

  private final MigrationScenario scenario;
  private final List<Thread> threads = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private volatile boolean ended;

  /** What the clients found between two moments. */
  static final class Found {
    /** How long each transaction took from when it was due, ascending. */
    private final double[] millis;

    private final double seconds;

    Found(double[] millis, double seconds) {
      this.millis = millis;
      this.seconds = seconds;
    }

    double seconds() {
      return seconds;
    }

    double quantile(double part) {
      return millis.length == 0
          ? Double.NaN
          : millis[(int) Math.min(millis.length - 1, Math.ceil(part * millis.length) - 1)];
    }

    double worst() {
      return millis.length == 0 ? Double.NaN : millis[millis.length - 1];
    }

    double perSecond() {
      return millis.length / seconds;
    }
  }

  private MigrationLoad(MigrationScenario scenario) {
    this.scenario = scenario;
  }

  /** Starts the clients. */
  static MigrationLoad start(MigrationScenario scenario, DataSource database, int perSecond)
      throws SQLException {
    MigrationLoad load = new MigrationLoad(scenario);
    Object[] keys = keys(database);
    long start = System.nanoTime();
    for (int i = 0; i < CLIENTS; i++) {
      long every = 1_000_000_000L * CLIENTS / perSecond;
      boolean autosaves = i % 2 == 1;
      Connection connection = database.getConnection();
      if (autosaves) {
        connection.unwrap(PGConnection.class).setAutosave(AutoSave.CONSERVATIVE);
      }
      Client client =
          load.new Client(connection, autosaves, keys, start + every * i / CLIENTS, every);
      load.clients.add(client);
      Thread thread = new Thread(client, "client-" + i);
      thread.setDaemon(true);
      load.threads.add(thread);
      thread.start();
    }
    return load;
  }

  private static Object[] keys(DataSource database) throws SQLException {
    List<Object> keys = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select id from orders tablesample system (10) order by random() limit " + KEYS)) {
      while (row.next()) {
        keys.add(row.getObject(1));
      }
    }
    return keys.toArray();
  }

  /** Those that ran between two moments, at least for a part of their time. */
  Found found(long from, long to) {
    double[] millis = new double[0];
    for (Client client : clients) {
      double[] own = client.between(from, to);
      int length = millis.length;
      millis = Arrays.copyOf(millis, length + own.length);
      System.arraycopy(own, 0, millis, length, own.length);
    }
    Arrays.sort(millis);
    return new Found(millis, (to - from) / 1e9);
  }

  /** How often transactions failed, by what was said. */
  Map<String, Long> failures() {
    Map<String, Long> failures = new TreeMap<>();
    for (Client client : clients) {
      synchronized (client) {
        client.failures.forEach((why, times) -> failures.merge(why, times, Long::sum));
      }
    }
    return failures;
  }

  /** How many of them were of clients that need not fail when columns change their types. */
  long failuresDespiteAutosave() {
    return failures().entrySet().stream()
        .filter(failure -> failure.getKey().startsWith(AUTOSAVING))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Override
  public void close() {
    ended = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** One connection and what it is used for. */
  private final class Client implements Runnable {
    private static final int FIRST_CAPACITY = 4_096;

    private final Connection connection;
    private final boolean autosaves;
    private final Object[] keys;
    private final long everyNanos;
    private final Map<String, Long> failures = new TreeMap<>();
    private final Map<String, PreparedStatement> prepared = new TreeMap<>();
    private long due;

    /** When each was due and when it was done, by {@link System#nanoTime}. */
    private long[] times = new long[FIRST_CAPACITY];

    private int count;

    Client(Connection connection, boolean autosaves, Object[] keys, long due, long everyNanos) {
      this.connection = connection;
      this.autosaves = autosaves;
      this.keys = keys;
      this.due = due;
      this.everyNanos = everyNanos;
    }

    @Override
    public void run() {
      try (connection) {
        while (!ended) {
          long wait = due - System.nanoTime();
          if (wait > 0) {
            LockSupport.parkNanos(wait);
            continue;
          }
          try {
            transaction(ThreadLocalRandom.current().nextInt(10));
          } catch (SQLException e) {
            failed(e);
          }
          add(due, System.nanoTime());
          due += everyNanos;
        }
      } catch (SQLException e) {
        failed(e);
      }
    }

    private void failed(SQLException e) {
      synchronized (this) {
        failures.merge(
            (autosaves ? AUTOSAVING : "")
                + e.getSQLState()
                + " "
                + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
            1L,
            Long::sum);
      }
      try {
        connection.rollback();
        connection.setAutoCommit(true);
      } catch (SQLException again) {
        // It is counted when it is used next.
      }
    }

    private synchronized void add(long from, long to) {
      if (2 * count == times.length) {
        times = Arrays.copyOf(times, 2 * times.length);
      }
      times[2 * count] = from;
      times[2 * count + 1] = to;
      count++;
    }

    private synchronized double[] between(long from, long to) {
      double[] millis = new double[count];
      int length = 0;
      for (int i = 0; i < count; i++) {
        if (times[2 * i + 1] - from >= 0 && times[2 * i] - to < 0) {
          millis[length++] = (times[2 * i + 1] - times[2 * i]) / 1e6;
        }
      }
      return Arrays.copyOf(millis, length);
    }

    private void transaction(int kind) throws SQLException {
      Object key = keys[ThreadLocalRandom.current().nextInt(keys.length)];
      if (kind < 5) {
        read("select id, customer, status, total, made_at from orders where id = ?", key);
      } else if (kind < 7) {
        read(
            "select o.id, o.total, l.order_id, l.line, l.sku from orders o join order_lines l on l.order_id = o.id where o.id = ?",
            key);
      } else if (kind < 9) {
        order();
      } else {
        PreparedStatement update =
            prepare("update orders set status = ?, total = total + 1 where id = ?");
        update.setString(1, "changed");
        set(update, 2, key);
        update.executeUpdate();
      }
    }

    private void order() throws SQLException {
      connection.setAutoCommit(false);
      Object id;
      if (scenario.isText()) {
        id = Ulid.mint().toString();
        PreparedStatement insert =
            prepare("insert into orders (id, customer, total) values (?, ?, ?)");
        set(insert, 1, id);
        insert.setString(2, "customer 1");
        insert.setInt(3, 7);
        insert.executeUpdate();
      } else {
        PreparedStatement insert =
            prepare("insert into orders (customer, total) values (?, ?) returning id");
        insert.setString(1, "customer 1");
        insert.setInt(2, 7);
        try (ResultSet row = insert.executeQuery()) {
          row.next();
          id = row.getObject(1);
        }
      }
      for (int line = 1; line <= 3; line++) {
        PreparedStatement insert =
            prepare("insert into order_lines (order_id, line, sku, quantity) values (?, ?, ?, ?)");
        set(insert, 1, id);
        insert.setInt(2, line);
        insert.setString(3, "sku");
        insert.setInt(4, 1);
        insert.executeUpdate();
      }
      connection.commit();
      connection.setAutoCommit(true);
    }

    private void read(String sql, Object key) throws SQLException {
      PreparedStatement select = prepare(sql);
      set(select, 1, key);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          throw new SQLException("an order is not found", "none");
        }
      }
    }

    private void set(PreparedStatement statement, int position, Object key) throws SQLException {
      if (scenario.isText()) {
        statement.setString(position, (String) key);
      } else {
        statement.setObject(
            position, key, scenario == MigrationScenario.INTEGER ? Types.INTEGER : Types.BIGINT);
      }
    }

    private PreparedStatement prepare(String sql) throws SQLException {
      PreparedStatement statement = prepared.get(sql);
      if (statement == null) {
        statement = connection.prepareStatement(sql);
        prepared.put(sql, statement);
      }
      return statement;
    }
  }
}
