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
 * A process that supplies the pools of a database from those of the database {@code home} without
 * end, and writes a line each time. It is given the URL of {@code home}, and the name and the URL
 * of the other.
 */
final class PoolSupplier {
  private PoolSupplier() {}

  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (Pools pools =
        Pools.across(
            List.of(
                Pools.over("home", dataSource(args[0])),
                Pools.over(args[1], dataSource(args[2]))))) {
      while (true) {
        try {
          pools.supply();
          long unused = pools.sweep();
          out.println("supplied");
        } catch (PoolUnavailableException e) {
          out.println("again: " + e.getMessage());
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(100_000_000));
      }
    }
  }

  private static DataSource dataSource(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    config.setInitializationFailTimeout(-1);
    // Else HikariCP asks the first connection, and is of no use for ever if that one is ended
    // meanwhile: https://github.com/brettwooldridge/HikariCP/issues/1944.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    return new HikariDataSource(config);
  }
}
