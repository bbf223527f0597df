package dev.mintmark.postgres.pool;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Databases that did not answer lately. A connection to one that hangs can take half a minute to
 * fail, and each pool is looked for in every database: so one that failed is not asked again for as
 * long as that took. One that fails at once is asked each time. Safe for use by many threads.
 */
final class SilentDatabases {
  private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

  private final Map<DatabasePools, Silence> silences = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  SilentDatabases(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Silence(PoolUnavailableException failure, long endNanos) {
    PoolUnavailableException again() {
      String message = String.valueOf(failure.getMessage());
      return failure.getCause() instanceof SQLException cause
          ? new PoolUnavailableException(message, cause)
          : new PoolUnavailableException(message);
    }
  }

  /**
   * Asks a database, unless it is known not to answer.
   *
   * @throws PoolUnavailableException if it does not answer
   */
  <T> T ask(DatabasePools database, Function<DatabasePools, T> question) {
    long begun = nanoTime.getAsLong();
    Silence silence = silences.get(database);
    if (silence != null && begun - silence.endNanos < 0) {
      throw silence.again();
    }
    try {
      T answer = question.apply(database);
      silences.remove(database);
      return answer;
    } catch (PoolUnavailableException e) {
      long failed = nanoTime.getAsLong();
      long length = Math.min(failed - begun, LONGEST_NANOS);
      silences.put(database, new Silence(e, failed + length));
      throw e;
    }
  }
}
