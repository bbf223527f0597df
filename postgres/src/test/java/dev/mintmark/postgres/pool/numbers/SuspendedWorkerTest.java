package dev.mintmark.postgres.pool.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.MintException;
import dev.mintmark.PoolSpec;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process of its own that is stopped in the midst of minting, and goes on later. */
@DisabledOnOs(OS.WINDOWS)
@Tag("slow")
class SuspendedWorkerTest {
  private static final SnowflakeLayout LAYOUT = SnowflakeLayout.TWITTER;
  private static final long PATIENCE_NANOS = Patience.MAX.toNanos();

  private final TestDatabase database = TestDatabase.create();

  @TempDir private Path directory;

  @Test
  void processThatIsStoppedPastItsLeaseMakesNoIdOfItsSuccessor() throws Exception {
    try (Pools pools = Pools.over(database.dataSource())) {
      pools.create(
          PoolSpec.of("workers", List.of(Block.parse("0..0"))).withLease(Duration.ofSeconds(1)));
      Pool pool = pools.open("workers");
      Path out = directory.resolve("out");
      Process child = start(out);
      try {
        await(out, lines -> ids(lines).count() > 100);
        signal(child, "STOP");
        // Its lease ends by itself; the number goes to this process, which keeps it even if it
        // stalls.
        pool.change(spec -> spec.withLease(Duration.ofMinutes(1)));
        LeasedSnowflakes mint = openWhenFree(pool);
        Instant stampedUntil = lastId(out).time(LAYOUT);
        List<Snowflake> ours = new ArrayList<>(mint.mint(100));
        signal(child, "CONT");
        // It wakes, finds its lease ended and no number free, and says so.
        await(out, lines -> lines.stream().anyMatch(line -> line.startsWith("# ")));
        ours.addAll(mint.mint(100));
        mint.close();
        long before = ids(Files.readAllLines(out)).count();
        await(out, lines -> ids(lines).count() > before + 100);

        List<Snowflake> theirs = ids(Files.readAllLines(out)).toList();
        assertThat(theirs).isSorted().doesNotHaveDuplicates().doesNotContainAnyElementsOf(ours);
        assertThat(theirs)
            .as("ids of the time in which the number was ours")
            .noneMatch(id -> id.compareTo(ours.get(0)) > 0 && id.compareTo(last(ours)) < 0);
        assertThat(ours.get(0).time(LAYOUT)).isAfter(stampedUntil);
      } finally {
        child.destroyForcibly().waitFor();
      }
    }
  }

  private Process start(Path out) throws IOException {
    String url =
        "jdbc:postgresql://localhost:%d/%s?user=postgres"
            .formatted(database.port(), database.name());
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            SuspendedWorker.class.getName(),
            url)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start();
  }

  private static void signal(Process process, String signal) throws Exception {
    int status =
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
    assertThat(status).isZero();
  }

  private static LeasedSnowflakes openWhenFree(Pool pool) {
    long start = System.nanoTime();
    while (true) {
      try {
        return LeasedSnowflakes.open(pool, LAYOUT, "parent");
      } catch (MintException e) {
        assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(PATIENCE_NANOS);
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static void await(Path out, Predicate<List<String>> condition) throws IOException {
    long start = System.nanoTime();
    while (!condition.test(Files.readAllLines(out))) {
      assertThat(System.nanoTime() - start)
          .as(() -> "nanoseconds; the process said " + out)
          .isLessThan(PATIENCE_NANOS);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static Snowflake lastId(Path out) throws IOException {
    return last(ids(Files.readAllLines(out)).toList());
  }

  private static Stream<Snowflake> ids(List<String> lines) {
    // The last line may be but begun.
    return lines.stream()
        .limit(Math.max(0, lines.size() - 1))
        .filter(line -> !line.startsWith("#"))
        .map(Snowflake::parse);
  }

  private static Snowflake last(List<Snowflake> ids) {
    return ids.get(ids.size() - 1);
  }
}
