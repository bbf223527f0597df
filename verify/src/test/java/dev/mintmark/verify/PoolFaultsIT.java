package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.testkit.PoolWorkload;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Processes that work on one pool, while they and their database are killed: nothing is held twice,
 * nothing is lost, and every snapshot adds up.
 */
@Tag("long")
class PoolFaultsIT {

  /** What a worker is to have written before the next fault: a hundred operations or so. */
  private static final long PROGRESS_BYTES = 5_000;

  private static final PoolSpec POOL =
      PoolSpec.of(PoolWorker.POOL, List.of(Block.parse("1..24")))
          .withQuarantine(Duration.ofMillis(200))
          .withPerClient(PoolWorkload.SLOTS);

  private final List<Worker> workers = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();

  private static Path directory = Path.of("");
  private static @Nullable EmbeddedDatabase database;
  private static MovingDatabase moving = new MovingDatabase(directory);

  /**
   * @param startMillis the time of this process when it started the worker
   * @param shiftMillis how far the worker's clock is ahead
   */
  private record Worker(
      String name, WorkerProcess process, long startMillis, long shiftMillis, Path out) {}

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    moving = new MovingDatabase(directory.resolve("address"));
    restartDatabase();
    Flyway.configure()
        .dataSource(moving.dataSource("migration"))
        .schemas("mintmark")
        .table("schema_history")
        .locations("classpath:" + Pools.MIGRATIONS)
        .load()
        .migrate();
  }

  @AfterEach
  void endWorkers() {
    workers.forEach(worker -> worker.process.process().destroyForcibly());
  }

  @AfterAll
  static void stopDatabase() {
    if (database != null) {
      database.close();
    }
  }

  @Test
  void nothingIsDoubledOrLostWhileProcessesAndTheDatabaseAreKilled() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (HikariDataSource connections = moving.connectionPool("observer", 2);
        Pools pools = Pools.over(connections)) {
      pools.create(POOL);
      Path log = newLog("observer");
      try (PoolWorkload observer =
          PoolWorkload.of("observer", pools.open(PoolWorker.POOL), connections, log)) {
        Thread snapshots = new Thread(() -> countUntil(observer, done));
        snapshots.start();
        Optional<Path> clock = shiftedClock();
        startWorker(clock, -300);
        startWorker(clock, 300);
        startWorker(clock, 0);
        awaitProgress();

        workers.get(0).process.process().destroyForcibly().waitFor();
        startWorker(clock, 7_200);
        awaitProgress();

        killBackend();
        awaitProgress();

        terminateListeners();
        workers.get(1).process.process().destroyForcibly().waitFor();
        startWorker(clock, 0);
        awaitProgress();

        restartDatabase();
        awaitProgress();

        workers.forEach(worker -> worker.process.finish());
        workers.forEach(PoolFaultsIT::assertClock);
        done.set(true);
        snapshots.join();
        observer.settle();
      }
    }
    assertThat(PoolWorkload.judge(POOL, logs)).isEmpty();
    assertThat(logs).allSatisfy(one -> assertThat(one).isNotEmptyFile());
  }

  @Test
  void theProgramRunsTheChecksOnADatabaseOfTheUsers() throws IOException {
    Mintmark mintmark = Mintmark.in(directory);

    Outcome outcome =
        mintmark.run(
            "pool",
            "verify",
            "--json",
            "--seconds",
            "1",
            "--seed",
            "7",
            "--only",
            "turmoil",
            "--only",
            "owner-quota",
            "--database-url",
            Files.readString(moving.file()));

    JsonNode report = outcome.json();
    assertThat(outcome.status()).as(outcome.err()).isZero();
    assertThat(outcome.errLines()).startsWith("seed 7");
    assertThat(report.path("passed").booleanValue()).isTrue();
    assertThat(report.path("seed").longValue()).isEqualTo(7);
    assertThat(report.path("checks").size()).isEqualTo(2);
    assertThat(report.path("checks").get(0).path("name").stringValue())
        .isEqualTo("random-workload");
    assertThat(report.path("checks").get(0).path("figures").path("operations").longValue())
        .isPositive();
    assertThat(query("select count(*) from mintmark.pool where name like 'verify-%'"))
        .isEqualTo("0");
  }

  private static void restartDatabase() {
    stopDatabase();
    EmbeddedDatabase started = EmbeddedDatabase.start(directory.resolve("data"));
    database = started;
    moving.moveTo(started.jdbcUrl());
  }

  private static void countUntil(PoolWorkload observer, AtomicBoolean done) {
    while (!done.get()) {
      observer.count();
    }
  }

  /** Kills the process of a session that works: the server ends all others and recovers. */
  private static void killBackend() {
    long pid =
        Long.parseLong(
            Eventually.present(
                Patience.MAX,
                () ->
                    queryIfAny(
                        "select pid from pg_stat_activity where application_name like 'worker-%'"
                            + " and state <> 'idle' limit 1")));
    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
  }

  private static void terminateListeners() {
    query(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity"
            + " where application_name like 'worker-%-listen'");
  }

  private static String query(String sql) {
    return queryIfAny(sql).orElseThrow();
  }

  private static Optional<String> queryIfAny(String sql) {
    try (Connection connection = moving.dataSource("faults").getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return result.next() ? Optional.of(result.getString(1)) : Optional.empty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path newLog(String name) {
    Path log = directory.resolve(name + ".log");
    logs.add(log);
    return log;
  }

  private void startWorker(Optional<Path> clock, int shiftSeconds) {
    String name = "worker-" + logs.size();
    Path log = newLog(name);
    Path out = directory.resolve(name + ".out");
    Path errors = directory.resolve(name + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path"),
                PoolWorker.class.getName(),
                moving.file().toString(),
                log.toString(),
                name,
                Integer.toString(logs.size()))
            .redirectOutput(out.toFile())
            .redirectError(errors.toFile());
    long startMillis = System.currentTimeMillis();
    long shiftMillis = clock.isPresent() ? shiftSeconds * 1_000L : 0;
    clock.ifPresent(
        library -> {
          builder.environment().put("LD_PRELOAD", library.toString());
          builder.environment().put("SHIFT_SECONDS", Integer.toString(shiftSeconds));
        });
    try {
      Worker worker =
          new Worker(
              name, new WorkerProcess(builder.start(), log, errors), startMillis, shiftMillis, out);
      workers.add(worker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it did, it did with the clock it was to have. */
  private static void assertClock(Worker worker) {
    assertThat(Long.parseLong(WorkerProcess.read(worker.out).strip()))
        .as(worker.name)
        .isBetween(
            worker.startMillis + worker.shiftMillis,
            System.currentTimeMillis() + worker.shiftMillis);
  }

  /** What makes the clock of a process show another time, where there is a C compiler. */
  private static Optional<Path> shiftedClock() throws IOException, InterruptedException {
    Path source = directory.resolve("shifted_clock.c");
    try (InputStream resource = PoolFaultsIT.class.getResourceAsStream("shifted_clock.c")) {
      Files.copy(resource, source);
    }
    Path library = directory.resolve("shifted_clock.so");
    try {
      Process compiler =
          new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
              .inheritIO()
              .start();
      if (compiler.waitFor() == 0) {
        return Optional.of(library);
      }
    } catch (IOException e) {
      // There is none.
    }
    System.err.println("NOT TESTED: processes with shifted clocks: no C compiler is installed");
    return Optional.empty();
  }

  /** Waits until every worker that lives has done some more. */
  private void awaitProgress() {
    WorkerProcess.awaitProgress(
        workers.stream().map(Worker::process).filter(WorkerProcess::isAlive).toList(),
        PROGRESS_BYTES);
  }
}
