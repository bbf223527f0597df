package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.internal.SqlFile;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records how full the pools of a database are. Any number of instances may do so: there is one row
 * for a pool and minute. Safe for use by many threads.
 */
final class UsageLog {
  private static final SqlFile RECORD_USAGE = SqlFile.load(UsageLog.class, "record_usage");

  /**
   * Three attempts a minute, so that none is missed; the later ones find the row and count nothing.
   */
  private static final long EVERY_NANOS = 20_000_000_000L;

  private final PoolDatabase database;
  private final AtomicLong recordedNanos = new AtomicLong(System.nanoTime() - EVERY_NANOS);

  UsageLog(PoolDatabase database) {
    this.database = database;
  }

  /** Records the present minute, unless this instance has tried lately. */
  void recordIfDue() {
    long last = recordedNanos.get();
    long now = System.nanoTime();
    if (now - last >= EVERY_NANOS && recordedNanos.compareAndSet(last, now)) {
      record();
    }
  }

  /** Records the present minute, unless it was recorded. */
  void record() {
    int unused = database.single(statements -> statements.update(RECORD_USAGE));
  }
}
