package dev.mintmark.verify.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;

/** What is measured of pools in this process, on a database that is given. */
final class PoolLoops {
  static final int CHURN_SECONDS_MAX = 60;

  private static final int THREADS = 8;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long REJECTING_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** How many rejections go by between two looks at the clock. */
  private static final int LOOK_EVERY = 1_000;

  private static final Block ADDRESSES = Block.parse("10.0.0.0/21");

  private PoolLoops() {}

  /** How often it went round, and how often in the seconds at the ends. */
  record Churn(long times, long firstSecond, long lastSecond) {
    /** How many times as fast it was in the beginning. */
    double slowdown() {
      return (double) firstSecond / Math.max(lastSecond, 1);
    }
  }

  /** One claim and one release; how it is done is the worker's own. */
  private interface Worker extends AutoCloseable {
    void churn(int client) throws SQLException;

    @Override
    void close() throws SQLException;
  }

  private interface Workers {
    Worker open() throws SQLException;
  }

  /** Nanoseconds that a client waits to be turned away by a pool that is known to be empty. */
  static double rejectionNanos(String url) {
    try (HikariDataSource connections = connections(url, 2);
        Pools pools = Pools.over(connections)) {
      pools.create(PoolSpec.of("bench-empty", List.of(Block.parse("10.0.0.0/30"))));
      Pool pool = pools.open("bench-empty");
      pool.claim(ClaimRequest.of("first"));
      pool.claim(ClaimRequest.of("second"));
      reject(pool, WARM_UP_NANOS);
      double nanos = reject(pool, REJECTING_NANOS);
      pools.delete("bench-empty");
      return nanos;
    }
  }

  private static double reject(Pool pool, long nanos) {
    long start = System.nanoTime();
    long rejected = 0;
    long elapsed = 0;
    while (elapsed < nanos) {
      for (int i = 0; i < LOOK_EVERY; i++) {
        // Looked at, so that nothing of it can be left out.
        if (!(pool.claim(ClaimRequest.of("client-42")) instanceof ClaimResult.Exhausted)) {
          throw new IllegalStateException("the pool is not empty");
        }
      }
      rejected += LOOK_EVERY;
      elapsed = System.nanoTime() - start;
    }
    return (double) elapsed / rejected;
  }

  /** Claims and releases, at most that many. */
  static Churn churnPool(String url, int churns) throws SQLException, InterruptedException {
    try (HikariDataSource connections = connections(url, THREADS);
        Pools pools = Pools.over(connections)) {
      pools.create(PoolSpec.of("bench-churn", List.of(ADDRESSES)).withQuarantine(Duration.ZERO));
      Pool pool = pools.open("bench-churn");
      Churn churn = churn(url, churns, () -> new PoolWorker(pool));
      pools.delete("bench-churn");
      return churn;
    }
  }

  private record PoolWorker(Pool pool) implements Worker {
    @Override
    public void churn(int client) {
      Claim claim = ((ClaimResult.Granted) pool.claim(ClaimRequest.of("client-" + client))).claim();
      pool.release(claim.value(), claim.token());
    }

    @Override
    public void close() {}
  }

  /** The same with the article's query. */
  static Churn churnArticle(String url, int churns) throws SQLException, InterruptedException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create schema bench;
          create table bench.ip_address (id bigint primary key, client_id bigint);
          create index on bench.ip_address (client_id);
          insert into bench.ip_address (id) select generate_series(1, %d)
          """
              .formatted(ADDRESSES.size()));
      Churn churn = churn(url, churns, () -> new ArticleWorker(DriverManager.getConnection(url)));
      statement.execute("drop schema bench cascade");
      return churn;
    }
  }

  private static final class ArticleWorker implements Worker {
    private final Connection connection;
    private final PreparedStatement claim;
    private final PreparedStatement release;

    ArticleWorker(Connection connection) throws SQLException {
      this.connection = connection;
      this.claim =
          connection.prepareStatement(
              """
              update bench.ip_address
              set client_id = ?
              where id in (
                select id
                from bench.ip_address
                where client_id is null
                order by random()
                limit 1
                for update
                skip locked
              )
              returning id
              """);
      this.release =
          connection.prepareStatement("update bench.ip_address set client_id = null where id = ?");
    }

    @Override
    public void churn(int client) throws SQLException {
      claim.setLong(1, client);
      try (ResultSet granted = claim.executeQuery()) {
        granted.next();
        release.setLong(1, granted.getLong(1));
      }
      release.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  private static Churn churn(String url, int churns, Workers workers)
      throws SQLException, InterruptedException {
    AtomicLong[] seconds = new AtomicLong[CHURN_SECONDS_MAX + 1];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = new AtomicLong();
    }
    AtomicInteger clients = new AtomicInteger();
    AtomicReference<@Nullable SQLException> failure = new AtomicReference<>();
    try (Connection holder = DriverManager.getConnection(url)) {
      warmUp(workers);
      hold(holder);
      long start = System.nanoTime();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Thread thread = new Thread(() -> churn(workers, churns, clients, start, seconds, failure));
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
      SQLException failed = failure.get();
      if (failed != null) {
        throw failed;
      }
      double elapsed = (System.nanoTime() - start) / 1e9;
      // The last second that was whole.
      int last = Math.max(0, (int) elapsed - 1);
      long times = 0;
      for (AtomicLong second : seconds) {
        times += second.get();
      }
      return new Churn(times, seconds[0].get(), seconds[last].get());
    }
  }

  private static void warmUp(Workers workers) throws SQLException {
    try (Worker worker = workers.open()) {
      for (int i = 0; i < LOOK_EVERY; i++) {
        worker.churn(-1 - i);
      }
    }
  }

  private static void hold(Connection holder) throws SQLException {
    holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    holder.setAutoCommit(false);
    try (Statement statement = holder.createStatement()) {
      statement.execute("select count(*) from pg_class");
    }
  }

  private static void churn(
      Workers workers,
      int churns,
      AtomicInteger clients,
      long start,
      AtomicLong[] seconds,
      AtomicReference<@Nullable SQLException> failure) {
    try (Worker worker = workers.open()) {
      while (failure.get() == null) {
        int client = clients.incrementAndGet();
        if (client > churns) {
          return;
        }
        worker.churn(client);
        long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        if (second >= CHURN_SECONDS_MAX) {
          return;
        }
        seconds[(int) second].incrementAndGet();
      }
    } catch (SQLException e) {
      failure.set(e);
    }
  }

  static HikariDataSource connections(String url, int count) {
    HikariDataSource connections = new HikariDataSource();
    connections.setJdbcUrl(url);
    connections.setMaximumPoolSize(count);
    Flyway.configure()
        .dataSource(connections)
        .schemas("mintmark")
        .table("schema_history")
        .locations("classpath:" + Pools.MIGRATIONS)
        .load()
        .migrate();
    return connections;
  }
}
