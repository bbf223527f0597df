package dev.mintmark.postgres.pool;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that claims of one instance need, as many as have work. A claim may go through
 * several tasks; so after {@link #close} no claim is to begin, but each task still runs. Safe for
 * use by many threads.
 */
final class ClaimThreads implements Executor, AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final long IDLE_SECONDS_MAX = 60;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS_MAX,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          ClaimThreads::newThread);

  private volatile boolean closed;

  @Override
  public void execute(Runnable task) {
    threads.execute(task);
  }

  boolean isClosed() {
    return closed;
  }

  /** Ends idle threads, and others when their task is done. */
  @Override
  public void close() {
    closed = true;
    threads.setKeepAliveTime(0, TimeUnit.SECONDS);
  }

  private static Thread newThread(Runnable task) {
    Thread thread = new Thread(task, "mintmark-pool-" + COUNT.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
