package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.Requirements;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.database.LateConnections;
import dev.mintmark.app.http.FailoverLog;
import dev.mintmark.postgres.pool.Pools;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database of pools that a server has beside its first one. A thread opens it as soon as it
 * answers: its tables are created or upgraded then, and its pools are used from then on. Until then
 * they are not available.
 */
final class OtherDatabase implements CloseAtExit.Resource {
  private static final Logger LOG = LoggerFactory.getLogger(OtherDatabase.class);

  /** One that answers, and then hangs, does not hold up the start of the server. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration TRY_EVERY = Duration.ofSeconds(1);

  /** After the first failed attempt, every so many of them are logged. */
  private static final int TRIES_PER_MESSAGE = 60;

  private final String name;
  private final DatabaseAddress address;
  private final LateConnections requests;
  private final LateConnections listening;
  private final LateConnections preparing;
  private final Pools declaring;
  private final CountDownLatch tried = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean closed;
  private @Nullable Database database;

  private OtherDatabase(String name, DatabaseAddress address) {
    this.name = name;
    this.address = address;
    this.requests = new LateConnections(name, address);
    this.listening = new LateConnections(name, address);
    this.preparing = new LateConnections(name, address);
    this.declaring = Pools.over(name, preparing);
    declaring.reportFailovers(FailoverLog.of(name));
    this.thread = new Thread(this::open, "mintmark-database-" + name);
    thread.setDaemon(true);
  }

  /** Begins to open a database. */
  static OtherDatabase start(String name, DatabaseAddress address) {
    OtherDatabase other = new OtherDatabase(name, address);
    other.thread.start();
    return other;
  }

  /**
   * Waits until the database is open, or the first attempt to open it has failed, but not longer
   * than {@link #PATIENCE}.
   */
  void awaitFirstAttempt() {
    try {
      var unused = tried.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The pools for what may take long: they are closed with this. */
  Pools declaring() {
    return declaring;
  }

  /**
   * Returns new pools for requests.
   *
   * @param listens whether they listen for notifications of other instances
   */
  Pools serving(boolean listens) {
    Pools serving = Pools.over(name, requests);
    serving.reportFailovers(FailoverLog.of(name));
    if (listens) {
      serving.listenThrough(listening);
    }
    return serving;
  }

  private void open() {
    for (long tries = 0; !closed; tries++) {
      try {
        openOnce();
        LOG.info("the database {} is open: {}", name, address);
        tried.countDown();
        return;
      } catch (RuntimeException e) {
        if (!closed && tries % TRIES_PER_MESSAGE == 0) {
          LOG.warn(
              "the database {} is not open, and its pools are not available: {}",
              name,
              e.getMessage());
        }
      }
      tried.countDown();
      LockSupport.parkNanos(TRY_EVERY.toNanos());
    }
  }

  private void openOnce() {
    Database connected = Database.connect(address);
    try {
      DataSource examining = connected.examiningConnections("mintmark-prepare");
      Requirements.checkPools(examining);
      DataSource serving =
          connected.servingConnections("mintmark-serve-" + name, ServeCommand.CONNECTIONS);
      preparing.open(examining);
      warnWithoutTimeline();
      requests.open(serving);
      // Last: a listener sends itself a notification through the connections for requests.
      listening.open(connected.listeningConnections("mintmark-listen"));
      keep(connected);
    } catch (RuntimeException e) {
      connected.close();
      throw e;
    }
  }

  private void warnWithoutTimeline() {
    if (!declaring.watchesTimeline()) {
      LOG.warn("the database {}: {}", name, ServeCommand.WITHOUT_TIMELINE);
    }
  }

  private synchronized void keep(Database connected) {
    if (closed) {
      connected.close();
    } else {
      database = connected;
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    declaring.close();
    closeDatabase();
  }

  private synchronized void closeDatabase() {
    Database connected = database;
    if (connected != null) {
      connected.close();
    }
  }
}
