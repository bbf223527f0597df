package ids;

import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.numbers.LeasedSnowflakes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** Prints Snowflakes. Any number of processes may run at the same time: no two print the same. */
final class Main {
  private Main() {}

  public static void main(String[] arguments) throws SQLException {
    if (arguments.length != 2) {
      System.err.println("usage: Main JDBC-URL COUNT");
      System.exit(2);
      return;
    }
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(arguments[0]);
    Pools.migrate(database);

    try (Pools pools = Pools.over(database)) {
      // The numbers 0 to 1023, each held for 30 s unless its instance renews it.
      pools.declare(
          PoolSpec.of("workers", List.of(new NumberRange(0, 1023)))
              .withLease(Duration.ofSeconds(30)));
      try (LeasedSnowflakes mint =
          LeasedSnowflakes.open(pools.open("workers"), SnowflakeLayout.TWITTER, "example")) {
        System.out.println("worker " + mint.node());
        mint.mint(Integer.parseInt(arguments[1])).forEach(System.out::println);
      }
    }
  }
}
