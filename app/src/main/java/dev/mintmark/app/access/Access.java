package dev.mintmark.app.access;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a server needs of keys, sessions and audit, and the thread that keeps them up to date. */
public final class Access implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Access.class);

  private final Keys keys;
  private final Audit audit;
  private final KeyRing ring;
  private final Sessions sessions;
  private final AuditQueue queue;
  private final Optional<Tokens> tokens;
  private final ScheduledExecutorService upkeep;

  private Access(
      DataSource connections, Optional<Tokens> tokens, InstantSource clock, LongSupplier nanoTime) {
    this.tokens = tokens;
    this.keys = Keys.over(connections);
    this.audit = Audit.over(connections);
    this.ring = new KeyRing(keys, clock, nanoTime);
    this.sessions = new Sessions(ring, nanoTime);
    this.queue = new AuditQueue(audit);
    this.upkeep =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "mintmark-access");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Reads the keys, and again from time to time until this is closed.
   *
   * @param connections to a database that has the tables
   * @throws AccessUnavailableException if the database fails
   */
  public static Access open(DataSource connections) {
    return open(connections, Optional.empty());
  }

  /**
   * As {@link #open(DataSource)}, for a server that accepts tokens as well.
   *
   * @throws AccessUnavailableException if the database fails
   */
  public static Access open(DataSource connections, Optional<Tokens> tokens) {
    Access access = new Access(connections, tokens, InstantSource.system(), System::nanoTime);
    access.every(KeyRing.READ_EVERY.toMillis(), "reading keys", access.ring::refresh);
    access.every(AuditQueue.STORED_EVERY.toMillis(), "storing the audit", access.queue::store);
    return access;
  }

  private void every(long millis, String what, Runnable work) {
    var unused =
        upkeep.scheduleWithFixedDelay(
            new Attempt(what, work), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** A piece of work that is repeated, and logs when it begins to fail and when it works again. */
  private static final class Attempt implements Runnable {
    private final String what;
    private final Runnable work;
    private boolean failing;

    Attempt(String what, Runnable work) {
      this.what = what;
      this.work = work;
    }

    /** An exception would end the repetition. */
    @Override
    public void run() {
      try {
        work.run();
        if (failing) {
          failing = false;
          LOG.info("{} works again", what);
        }
      } catch (AccessUnavailableException e) {
        if (!failing) {
          failing = true;
          LOG.warn("{} failed: {}; trying again", what, e.getMessage());
        }
      } catch (RuntimeException e) {
        LOG.error(what + " failed", e);
      }
    }
  }

  public Keys keys() {
    return keys;
  }

  public Audit audit() {
    return audit;
  }

  public KeyRing ring() {
    return ring;
  }

  /** What recognizes tokens; empty: they are not accepted. */
  public Optional<Tokens> tokens() {
    return tokens;
  }

  /** Whether requests need a key or a token. */
  public boolean areAccountsOn() {
    return tokens.isPresent() || ring.areAccountsOn();
  }

  /**
   * Whether who was recognized before may go on: the key or the token is still in use.
   *
   * @throws AccessUnavailableException as {@link KeyRing#recognize(KeyText)}
   */
  public boolean isInUse(Principal principal) {
    if (principal instanceof ApiKey key) {
      return ring.isInUse(key);
    }
    return principal instanceof TokenHolder holder
        && tokens.filter(accepting -> accepting.isInUse(holder)).isPresent();
  }

  public Sessions sessions() {
    return sessions;
  }

  public AuditQueue queue() {
    return queue;
  }

  /** Stops, and stores the entries of the audit that wait. */
  @Override
  public void close() {
    upkeep.shutdown();
    try {
      if (!upkeep.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("keys and audit did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    new Attempt("storing the audit", queue::store).run();
  }
}
