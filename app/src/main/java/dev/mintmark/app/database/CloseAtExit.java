package dev.mintmark.app.database;

import dev.mintmark.embedded.StartupException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Resources that are closed when a command ends or is interrupted, in reverse order of opening.
 * Safe for use by the command's thread and the shutdown hook.
 */
public final class CloseAtExit implements AutoCloseable {
  /** A resource that closes without a checked exception. */
  public interface Resource extends AutoCloseable {
    @Override
    void close();
  }

  private final Deque<Resource> resources = new ArrayDeque<>();
  private final Thread hook;

  /** Set when closing begins. */
  private volatile boolean closed;

  public CloseAtExit() {
    this(() -> {});
  }

  /**
   * @param interrupted what to do after all resources have been closed because the process ends
   */
  public CloseAtExit(Runnable interrupted) {
    this.hook =
        new Thread(
            () -> {
              closeAll();
              interrupted.run();
            },
            "mintmark-close");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Returns {@code resource}, which is closed with this, or earlier by {@link #closeLast}. */
  public synchronized <T extends Resource> T add(T resource) {
    resources.push(resource);
    return resource;
  }

  /**
   * Opens a resource, which is closed with this, or earlier by {@link #closeLast}. An interrupted
   * command waits until it is open, and then closes it, so nothing stays open in between.
   *
   * @throws StartupException if the command has been interrupted
   */
  public synchronized <T extends Resource> T open(Supplier<T> opening) {
    if (closed) {
      throw new StartupException("interrupted");
    }
    return add(opening.get());
  }

  /** Returns whether the resources are being closed, or were closed. */
  public boolean isClosed() {
    return closed;
  }

  /** Closes the resource that was added last. */
  public synchronized void closeLast() {
    resources.pop().close();
  }

  /**
   * Closes all resources. If the process is ending, the shutdown hook closes them: then this waits
   * for the end, so that a command does not report failures that this has caused.
   */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      awaitEndOfProcess();
    }
    closeAll();
  }

  private static void awaitEndOfProcess() {
    while (true) {
      LockSupport.park();
    }
  }

  /** Closes all resources, also if closing one fails: otherwise a server could stay running. */
  private synchronized void closeAll() {
    closed = true;
    if (resources.isEmpty()) {
      return;
    }
    try {
      closeLast();
    } finally {
      closeAll();
    }
  }
}
