package dev.mintmark.operations.doctor;

import dev.mintmark.postgres.internal.SqlName;
import java.time.Duration;
import java.util.Set;

/**
 * What the doctor looks at, and how long it waits.
 *
 * @param schemas only the tables of these; all of them where it is empty
 * @param statementTimeout how long one statement may take, 100 ms to an hour; what it was to find
 *     out is then not looked at
 * @param lockTimeout the same for a lock, 1 ms to an hour
 */
public record DoctorOptions(Set<String> schemas, Duration statementTimeout, Duration lockTimeout) {
  /** With less, even what begins and ends a transaction could fail on a busy server. */
  private static final long STATEMENT_MILLIS_MIN = 100;

  private static final Duration TIMEOUT_MAX = Duration.ofHours(1);

  private static final DoctorOptions DEFAULTS =
      new DoctorOptions(Set.of(), Duration.ofSeconds(10), Duration.ofMillis(100));

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a time is out of its range, or PostgreSQL keeps no such
   *     name
   */
  public DoctorOptions {
    schemas = Set.copyOf(schemas);
    schemas.forEach(SqlName::quoted);
    requireTimeout("statement timeout", statementTimeout, STATEMENT_MILLIS_MIN);
    requireTimeout("lock timeout", lockTimeout, 1);
  }

  /** All schemas; 10 seconds for a statement, 100 milliseconds for a lock. */
  public static DoctorOptions defaults() {
    return DEFAULTS;
  }

  /** The same for the tables of these schemas only. */
  public DoctorOptions withSchemas(Set<String> schemas) {
    return new DoctorOptions(schemas, statementTimeout, lockTimeout);
  }

  /** The same with another time for a statement. */
  public DoctorOptions withStatementTimeout(Duration timeout) {
    return new DoctorOptions(schemas, timeout, lockTimeout);
  }

  /** The same with another time for a lock. */
  public DoctorOptions withLockTimeout(Duration timeout) {
    return new DoctorOptions(schemas, statementTimeout, timeout);
  }

  private static void requireTimeout(String which, Duration timeout, long millisMin) {
    if (timeout.toMillis() < millisMin || timeout.compareTo(TIMEOUT_MAX) > 0) {
      throw new IllegalArgumentException(
          "%s %s: expected %s ms to 1 h".formatted(which, timeout, millisMin));
    }
  }
}
