package dev.mintmark.app.database;

import java.util.ArrayDeque;
import java.util.Deque;

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
  private final Thread hook = new Thread(this::closeAll, "mintmark-close");

  public CloseAtExit() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Returns {@code resource}, which is closed with this, or earlier by {@link #closeLast}. */
  public synchronized <T extends Resource> T add(T resource) {
    resources.push(resource);
    return resource;
  }

  /** Closes the resource that was added last. */
  public synchronized void closeLast() {
    resources.pop().close();
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    closeAll();
  }

  /** Closes all resources, also if closing one fails: otherwise a server could stay running. */
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
