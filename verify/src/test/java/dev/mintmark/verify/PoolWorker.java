package dev.mintmark.verify;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.testkit.PoolWorkload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One instance of a program that works on a pool, as a process: until its standard input ends, or
 * it is killed. Says first what its clock shows, in milliseconds.
 */
final class PoolWorker {
  static final String POOL = "faults";

  private static final int THREADS = 2;

  private PoolWorker() {}

  /** Takes the file with the database's address, that of the log, a name and a seed. */
  public static void main(String[] arguments) throws InterruptedException {
    System.out.println(System.currentTimeMillis());
    System.out.flush();
    MovingDatabase database = new MovingDatabase(Path.of(arguments[0]));
    String name = arguments[2];
    long seed = Long.parseLong(arguments[3]);
    AtomicBoolean done = new AtomicBoolean();
    try (HikariDataSource connections = database.connectionPool(name, THREADS + 1);
        Pools pools = Pools.over(connections)) {
      pools.listenThrough(database.dataSource(name + "-listen"));
      try (PoolWorkload work =
          PoolWorkload.of(name, pools.open(POOL), connections, Path.of(arguments[1]))) {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
          long ofThread = seed * THREADS + i;
          threads[i] = new Thread(() -> work.work(ofThread, done::get));
          threads[i].start();
        }
        awaitEndOfInput();
        done.set(true);
        for (Thread thread : threads) {
          thread.join();
        }
      }
    }
  }

  private static void awaitEndOfInput() {
    try {
      System.in.transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
