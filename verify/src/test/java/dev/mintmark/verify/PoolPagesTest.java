package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java of docs/pools.md, docs/pools-sql.md, docs/pools-slices.md and docs/pools-numbers.md
 * compiles.
 */
class PoolPagesTest {
  @Test
  void everyBlockOfJavaCompiles(@TempDir Path directory) throws IOException {
    List<String> pools = new Page("docs/pools.md").blocks("java");
    List<String> numbers = new Page("docs/pools-numbers.md").blocks("java");
    List<String> inTransactions = new Page("docs/pools-sql.md").blocks("java");
    List<String> slices = new Page("docs/pools-slices.md").blocks("java");
    assertThat(slices).hasSize(1);
    assertThat(pools).hasSize(1);
    assertThat(inTransactions).hasSize(1);
    assertThat(numbers).hasSize(2);
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    new UserProgram(directory)
        .source(
            "Snippets",
            """
            import dev.mintmark.*;
            import dev.mintmark.postgres.pool.*;
            import dev.mintmark.postgres.pool.numbers.*;
            import java.sql.Connection;
            import java.time.Duration;
            import javax.sql.DataSource;

            class Snippets {
              void sweeper(DataSource dataSource, PoolSweeper.Listener listener) {
                %s
              }

              void inTransactions(Pool pool, DataSource dataSource) throws Exception {
                %s
              }

              void insertVm(Connection connection, String name, String address) {}

              void slices(DataSource dataSource) {
                %s
              }

              void workers(Pools pools) {
                %s
              }

              void runs(Pools pools, DataSource brazil, SequenceFeedRunner.Listener listener)
                  throws Exception {
                %s
              }
            }
            """
                .formatted(
                    pools.get(0),
                    inTransactions.get(0),
                    slices.get(0),
                    numbers.get(0),
                    numbers.get(1)))
        // -try: a snippet does not use every resource that it opens.
        .compile("-Xlint:-classfile,-try", "-cp", classPath);
  }
}
