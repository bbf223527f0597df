package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.MintException;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.postgres.pool.Pools;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process that makes Snowflakes without end, one a line, of a number of the pool {@code workers}
 * in the database whose URL it is given. Where it can make none it says why, behind a {@code #}.
 */
final class SuspendedWorker {
  private SuspendedWorker() {}

  public static void main(String[] args) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(args[0]);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (Pools pools = Pools.over(dataSource);
        LeasedSnowflakes mint =
            LeasedSnowflakes.open(pools.open("workers"), SnowflakeLayout.TWITTER, "child")) {
      while (true) {
        try {
          List<Snowflake> ids = mint.mint(3);
          ids.forEach(out::println);
        } catch (MintException e) {
          out.println("# " + e.getMessage());
        }
        LockSupport.parkNanos(500_000);
      }
    }
  }
}
