package dev.mintmark.postgres.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * A process that moves the pool {@code p} to and fro between two databases without end, and writes
 * a line for each move. It is given the URLs of the databases {@code home} and {@code eu}.
 */
final class PoolMover {
  private PoolMover() {}

  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (Pools pools =
        Pools.across(
            List.of(
                Pools.over("home", dataSource(args[0])), Pools.over("eu", dataSource(args[1]))))) {
      while (true) {
        String target = ThreadLocalRandom.current().nextBoolean() ? "home" : "eu";
        try {
          if (PoolMove.move(pools, "p", target, (rows, expected) -> {}).moved()) {
            out.println("moved to " + target);
          }
        } catch (PoolUnavailableException e) {
          out.println("again: " + e.getMessage());
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(10_000_000));
      }
    }
  }

  private static DataSource dataSource(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(2);
    config.setInitializationFailTimeout(-1);
    // Else HikariCP asks the first connection, and is of no use for ever if that one is ended
    // meanwhile: https://github.com/brettwooldridge/HikariCP/issues/1944.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    return new HikariDataSource(config);
  }
}
