package dev.mintmark.verify;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.SliceOptions;
import dev.mintmark.postgres.pool.SlicedPool;
import dev.mintmark.testkit.PoolWorkload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One instance of a program that grants values of a pool from its slice, as a process: until its
 * standard input ends, or it is killed.
 */
final class SlicedPoolWorker {
  static final String POOL = "sliced-faults";
  static final Duration SLICE_LEASE = Duration.ofMillis(3_500);

  private static final int THREADS = 2;
  private static final int VALUES_MAX = 12;

  private SlicedPoolWorker() {}

  /** Takes the file with the database's address, that of the log, a name and a seed. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    MovingDatabase database = new MovingDatabase(Path.of(arguments[0]));
    String name = arguments[2];
    long seed = Long.parseLong(arguments[3]);
    AtomicBoolean done = new AtomicBoolean();
    SliceOptions options = SliceOptions.of(name).withLease(SLICE_LEASE).withValuesMax(VALUES_MAX);
    try (HikariDataSource connections = database.connectionPool(name, THREADS + 1);
        Pools pools = Pools.over(connections);
        SlicedPool pool = SlicedPool.open(pools, POOL, options);
        PoolWorkload work = PoolWorkload.of(name, pool, connections, Path.of(arguments[1]))) {
      Thread[] threads = new Thread[THREADS];
      for (int i = 0; i < THREADS; i++) {
        long ofThread = seed * THREADS + i;
        threads[i] = new Thread(() -> work.work(ofThread, done::get));
        threads[i].start();
      }
      System.in.transferTo(OutputStream.nullOutputStream());
      done.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }
}
