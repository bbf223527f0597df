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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** What pools take of a database: bytes of rows and of the log, sweeps, notifications. */
final class PoolSizes {
  static final List<Integer> POOLS = List.of(1, 100, 1_000);
  static final List<Integer> LISTENERS = List.of(0, 10, 50, 150);

  private static final List<String> TABLES =
      List.of("pool_claim", "pool_quarantine", "pool_history", "pool_free");

  /** Claims that are waited for together. */
  private static final int CHUNK = 4_096;

  private static final int CONNECTIONS = 4;
  private static final int SWEEPS = 9;
  private static final Duration NOTIFYING = Duration.ofSeconds(2);

  private final String url;
  private final int claims;

  PoolSizes(String url, int claims) {
    this.url = url;
    this.claims = claims;
  }

  /**
   * Bytes of the database.
   *
   * @param rows of each table, for a row: with its indexes, after a vacuum
   * @param logged of the write-ahead log, for a claim
   */
  record Bytes(Map<String, Double> rows, double logged) {}

  /** Clients have names of 16 characters. Half of the values is released again. */
  Bytes bytes() throws SQLException {
    try (HikariDataSource connections = PoolLoops.connections(url, CONNECTIONS);
        Pools pools = Pools.over(connections);
        Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      PoolSpec spec =
          PoolSpec.of("sizes", List.of(Block.parse("10.0.0.0/12")))
              .withHistory(Optional.of(Duration.ofDays(1)));
      pools.create(spec.withQuarantine(Duration.ofHours(1)));
      Pool pool = pools.open("sizes");
      long before = logPosition(statement);
      List<Claim> claimed = claim(pool, claims);
      double logged = (double) (logPosition(statement) - before) / claims;
      release(pool, claimed.subList(0, claims / 2));

      pools.create(
          PoolSpec.of("sizes-free", List.of(Block.parse("11.0.0.0/12")))
              .withQuarantine(Duration.ZERO));
      Pool free = pools.open("sizes-free");
      release(free, claim(free, claims / 2));

      Map<String, Double> rows = new TreeMap<>();
      for (String table : TABLES) {
        statement.execute("vacuum full analyze mintmark." + table);
        rows.put(
            table,
            number(
                statement,
                "select pg_total_relation_size('mintmark.%1$s')::float8 / count(*) from mintmark.%1$s"
                    .formatted(table)));
      }
      pools.delete("sizes");
      pools.delete("sizes-free");
      return new Bytes(rows, logged);
    }
  }

  private static List<Claim> claim(Pool pool, int count) {
    List<Claim> claims = new ArrayList<>(count);
    for (int from = 0; from < count; from += CHUNK) {
      List<CompletableFuture<ClaimResult>> asked =
          IntStream.range(from, Math.min(from + CHUNK, count))
              .mapToObj(i -> pool.claimAsync(ClaimRequest.of("client-%09d".formatted(i))))
              .toList();
      for (CompletableFuture<ClaimResult> result : asked) {
        claims.add(((ClaimResult.Granted) result.join()).claim());
      }
    }
    return claims;
  }

  private static void release(Pool pool, List<Claim> claims) {
    claims.forEach(claim -> pool.release(claim.value(), claim.token()));
  }

  private static long logPosition(Statement statement) throws SQLException {
    return (long) number(statement, "select pg_current_wal_lsn() - '0/0'");
  }

  /** The median milliseconds of a sweep that finds nothing, by the number of pools. */
  Map<Integer, Double> sweepMillis() {
    Map<Integer, Double> millis = new TreeMap<>();
    try (HikariDataSource connections = PoolLoops.connections(url, CONNECTIONS);
        Pools pools = Pools.over(connections)) {
      int created = 0;
      for (int count : POOLS) {
        for (; created < count; created++) {
          pools.create(
              PoolSpec.of("sweep-" + created, List.of(Block.parse("10.0.0.0/24")))
                  .withLease(Duration.ofMinutes(10)));
        }
        double[] times = new double[SWEEPS];
        for (int i = 0; i < SWEEPS; i++) {
          long start = System.nanoTime();
          long unused = pools.sweep();
          times[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(times);
        millis.put(count, times[SWEEPS / 2]);
      }
      for (int i = 0; i < created; i++) {
        pools.delete("sweep-" + i);
      }
    }
    return millis;
  }

  /**
   * Transactions a second with one notification each, of one session, by the number of listeners.
   */
  Map<Integer, Double> notificationsPerSecond() throws SQLException {
    Map<Integer, Double> rates = new TreeMap<>();
    List<Connection> listeners = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (int count : LISTENERS) {
        while (listeners.size() < count) {
          Connection listener = DriverManager.getConnection(url);
          listeners.add(listener);
          try (Statement listen = listener.createStatement()) {
            listen.execute("listen sizes");
          }
        }
        rates.put(count, notify(statement));
      }
    } finally {
      for (Connection listener : listeners) {
        listener.close();
      }
    }
    return rates;
  }

  private static double notify(Statement statement) throws SQLException {
    long start = System.nanoTime();
    long sent = 0;
    while (System.nanoTime() - start < NOTIFYING.toNanos()) {
      statement.execute("select pg_notify('sizes', '%d')".formatted(sent++));
    }
    return sent / ((System.nanoTime() - start) / 1e9);
  }

  private static double number(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getDouble(1);
    }
  }
}
