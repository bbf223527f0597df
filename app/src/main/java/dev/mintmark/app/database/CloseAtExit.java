package dev.mintmark.app.database;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What has to be closed whether a command comes to its end or is interrupted: last opened, first
 * closed. Safe for use by the command's thread and the one that ends the process.
 */
public final class CloseAtExit implements AutoCloseable {
  /** What closes without a checked exception. */
  public interface Resource extends AutoCloseable {
    @Override
    void close();
  }

  private final Deque<Resource> resources = new ArrayDeque<>();
  private final Thread hook = new Thread(this::closeAll, "mintmark-close");

  public CloseAtExit() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Returns {@code resource}, which is closed with this, or before by {@link #closeLast}. */
  public synchronized <T extends Resource> T add(T resource) {
    resources.push(resource);
    return resource;
  }

  /** Closes what was added last. */
  public synchronized void closeLast() {
    resources.pop().close();
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    closeAll();
  }

  /** All of them, also where closing one fails: behind a table that stays is a server that runs. */
  private synchronized void closeAll() {
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
