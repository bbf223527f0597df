package dev.mintmark.app.access;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Entries of the audit that are stored within {@link #STORED_EVERY}, many with one statement, so
 * that claims do not wait for them. A crash of the process loses the entries of that time at most;
 * the history of the pools has these claims nevertheless. Safe for use by many threads.
 */
public final class AuditQueue {
  /** How often entries are stored. */
  public static final Duration STORED_EVERY = Duration.ofSeconds(1);

  /** The entries that may wait while the database does not take them. */
  public static final int WAITING_MAX = 10_000;

  /** The entries that wait, beyond which none is added of what failed. */
  public static final int FAILED_MAX = 1_000;

  private static final int BATCH_MAX = 1_000;

  private final Audit audit;
  private final Deque<AuditEntry> waiting = new ArrayDeque<>();

  AuditQueue(Audit audit) {
    this.audit = audit;
  }

  /**
   * Checks that an entry has room, before the change that it is about.
   *
   * @throws AccessUnavailableException if {@value #WAITING_MAX} entries wait: then nothing must be
   *     changed
   */
  public void checkRoom() {
    synchronized (waiting) {
      if (waiting.size() >= WAITING_MAX) {
        throw new AccessUnavailableException(
            "%s entries of the audit wait for the database: nothing is changed until it stores them"
                .formatted(WAITING_MAX));
      }
    }
  }

  /**
   * Adds an entry, which {@link #checkRoom} has found room for, or the end of one that {@link
   * Audit#begin} has stored.
   */
  public void add(AuditEntry entry) {
    synchronized (waiting) {
      waiting.addLast(entry);
    }
  }

  /**
   * Adds an entry of something that failed, but may have been done. If {@value #FAILED_MAX} entries
   * wait, it is left out: while a database is away, what was not done must not take the room of
   * what is done.
   */
  public void addFailed(AuditEntry entry) {
    synchronized (waiting) {
      if (waiting.size() < FAILED_MAX) {
        waiting.addLast(entry);
      }
    }
  }

  /**
   * Stores all entries that wait, in their order.
   *
   * @throws AccessUnavailableException if the database fails: entries that were not stored wait on
   */
  public synchronized void store() {
    for (List<AuditEntry> batch = next(); !batch.isEmpty(); batch = next()) {
      store(batch);
    }
  }

  /**
   * Stores the first entries that wait. One that the database rejects must not block the others: it
   * is stored in ASCII.
   */
  private void store(List<AuditEntry> first) {
    try {
      audit.append(first);
    } catch (AccessUnavailableException e) {
      if (!e.isOfData()) {
        throw e;
      }
      if (first.size() > 1) {
        store(first.subList(0, first.size() / 2));
        store(first.subList(first.size() / 2, first.size()));
        return;
      }
      audit.append(List.of(first.get(0).inAscii()));
    }
    synchronized (waiting) {
      first.forEach(stored -> waiting.removeFirst());
    }
  }

  private List<AuditEntry> next() {
    synchronized (waiting) {
      return new ArrayList<>(waiting.stream().limit(BATCH_MAX).toList());
    }
  }
}
