package dev.mintmark.operations.migrate;

import java.util.Locale;

/**
 * A lock that a step takes, and how long it holds it. If it does not get the lock within the lock
 * timeout, it releases all its locks and retries later.
 *
 * @param table the table or the sequence, as PostgreSQL writes it: {@code public.orders}
 * @param mode the lock mode
 * @param held how long it is held
 */
public record TableLock(String table, Mode mode, Held held) {
  /** The lock modes that steps take, weakest first (PostgreSQL manual, section 13.3.1). */
  public enum Mode {
    /** Rows are written: only those that are written meanwhile wait. */
    ROW_EXCLUSIVE,
    /** Reads and writes go on; other changes of the table's definition wait. */
    SHARE_UPDATE_EXCLUSIVE,
    /** Reads go on, writes wait. */
    SHARE_ROW_EXCLUSIVE,
    /** Reads and writes wait. */
    ACCESS_EXCLUSIVE;

    /** As PostgreSQL calls it: {@code access exclusive}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** How long a lock is held. */
  public enum Held {
    /** For a change of catalogs: milliseconds, whatever the size of the table. */
    BRIEFLY,
    /** For a batch of rows, as the pace allows. */
    FOR_A_BATCH,
    /** As long as it takes to read the table. */
    FOR_A_SCAN;

    /** As plans say it: {@code for a batch}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
