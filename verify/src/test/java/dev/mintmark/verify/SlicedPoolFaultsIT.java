package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.testkit.PoolWorkload;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that grant values of one pool from their slices, while they are killed, or stopped for
 * longer than the lease of a slice and woken, and while the database crashes and restarts.
 */
@Tag("matrix")
class SlicedPoolFaultsIT {
  /** What a worker is to have written before the next fault. */
  private static final long PROGRESS_BYTES = 2_000;

  private static final PoolSpec POOL =
      PoolSpec.of(SlicedPoolWorker.POOL, List.of(Block.parse("1..24")))
          .withPerClient(PoolWorkload.SLOTS)
          .withLease(Duration.ofMillis(1_500))
          .withQuarantine(Duration.ZERO);

  @TempDir Path directory;

  private final List<WorkerProcess> workers = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();
  private @Nullable EmbeddedDatabase database;

  @AfterEach
  void endAll() {
    workers.forEach(worker -> worker.process().destroyForcibly());
    if (database != null) {
      database.close();
    }
  }

  @Test
  void nothingIsGrantedTwiceWhileProcessesAreKilledAndStopped() throws Exception {
    MovingDatabase moving = new MovingDatabase(directory.resolve("address"));
    restartDatabase(moving);
    Pools.migrate(moving.dataSource("migration"));
    try (HikariDataSource connections = moving.connectionPool("observer", 2);
        Pools pools = Pools.over(connections)) {
      pools.create(POOL);
      for (int i = 0; i < 3; i++) {
        startWorker(moving);
      }
      WorkerProcess.awaitProgress(workers, PROGRESS_BYTES);

      signal(workers.get(0), "STOP");
      Thread.sleep(SlicedPoolWorker.SLICE_LEASE.plusMillis(500).toMillis());
      WorkerProcess.awaitProgress(workers.subList(1, 3), PROGRESS_BYTES);
      signal(workers.get(0), "CONT");
      WorkerProcess.awaitProgress(workers, PROGRESS_BYTES);

      workers.get(1).process().destroyForcibly().waitFor();
      startWorker(moving);
      WorkerProcess.awaitProgress(living(), PROGRESS_BYTES);

      killBackend(moving);
      WorkerProcess.awaitProgress(living(), PROGRESS_BYTES);
      restartDatabase(moving);
      WorkerProcess.awaitProgress(living(), PROGRESS_BYTES);

      living().forEach(WorkerProcess::finish);
      Thread.sleep(SlicedPoolWorker.SLICE_LEASE.toMillis());
      Path log = newLog("observer");
      try (PoolWorkload observer =
          PoolWorkload.of("observer", pools.open(POOL.name()), connections, log)) {
        observer.settle();
      }
    }

    assertThat(PoolWorkload.judgeSlices(POOL, SlicedPoolWorker.SLICE_LEASE, logs)).isEmpty();
    assertThat(logs).allSatisfy(one -> assertThat(one).isNotEmptyFile());
  }

  private void restartDatabase(MovingDatabase moving) {
    if (database != null) {
      database.close();
    }
    EmbeddedDatabase started = EmbeddedDatabase.start(directory.resolve("data"));
    database = started;
    moving.moveTo(started.jdbcUrl());
  }

  private Path newLog(String name) {
    Path log = directory.resolve(name + ".log");
    logs.add(log);
    return log;
  }

  private void startWorker(MovingDatabase moving) throws IOException {
    String name = "worker-" + logs.size();
    Path log = newLog(name);
    Path errors = directory.resolve(name + ".err");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path"),
                SlicedPoolWorker.class.getName(),
                moving.file().toString(),
                log.toString(),
                name,
                Integer.toString(logs.size()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile())
            .start();
    workers.add(new WorkerProcess(process, log, errors));
  }

  private List<WorkerProcess> living() {
    return workers.stream().filter(WorkerProcess::isAlive).toList();
  }

  private static void signal(WorkerProcess worker, String signal) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, Long.toString(worker.process().pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Kills the process of a session: the server ends all others and recovers. */
  private static void killBackend(MovingDatabase moving) {
    String pid =
        Eventually.present(
            Patience.MAX,
            () -> {
              try (Connection connection = moving.dataSource("faults").getConnection();
                  Statement statement = connection.createStatement();
                  ResultSet row =
                      statement.executeQuery(
                          "select pid from pg_stat_activity where application_name like 'worker-%' limit 1")) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly()).isTrue();
  }
}
