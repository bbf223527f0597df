package dev.mintmark.app.http;

import java.util.concurrent.locks.Lock;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP/1.1, with two repairs of the timeouts of asynchronous requests (Tomcat 11.0.24):
 *
 * <ul>
 *   <li>Once a second a thread compares the start of each waiting request with its timeout, without
 *       a lock. If that thread is delayed, the request may have ended: its start is 0 then, which
 *       looks like a timeout, and the event is sent to a connection that handles the next request.
 *       {@link Requests} compares under the lock of the connection.
 *   <li>The connection ignores an event that is not due, but only after it has removed the current
 *       request. The answer to that request is never finished, and the client waits until the
 *       connection is closed. {@link Connections} checks the event before.
 * </ul>
 *
 * <p>The second can be removed when {@code AbstractProtocol.ConnectionHandler.process} of Tomcat
 * checks a timeout before {@code takeCurrentProcessor()}.
 *
 * <p>It also lends the lock of a connection to who answers a request later: {@link
 * #connectionLock()}.
 *
 * <p>Public because Tomcat creates it by its name.
 */
public final class Http11Protocol extends Http11NioProtocol {
  private static final ThreadLocal<@Nullable Lock> HANDLED = new ThreadLocal<>();

  public Http11Protocol() {
    Handler<NioChannel> handler = new Connections(this);
    setHandler(handler);
    getEndpoint().setHandler(handler);
  }

  /**
   * Returns the lock of the connection whose request this thread handles. Tomcat holds it while it
   * handles an event of the connection: a request, a timeout, an error. A thread that answers the
   * request later must hold it too: Tomcat's state of a request is not made for two threads. If an
   * answer fails to be written while the thread that received the request is about to leave it,
   * Tomcat rejects that state ({@code AsyncStateMachine.asyncPostProcess}) and never tells the end.
   *
   * @throws IllegalStateException if this thread handles no request
   */
  static Lock connectionLock() {
    Lock lock = HANDLED.get();
    if (lock == null) {
      throw new IllegalStateException("this thread handles no request");
    }
    return lock;
  }

  @Override
  protected Processor createProcessor() {
    return new Requests(this, adapter);
  }

  /** The requests of a connection, one after the other. */
  private static final class Requests extends Http11Processor {
    Requests(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
      super(protocol, adapter);
    }

    /**
     * {@inheritDoc}
     *
     * <p>If the connection is in use, its request is compared again a second later.
     *
     * @param now negative if the server stops
     */
    @Override
    public void timeoutAsync(long now) {
      if (now < 0) {
        super.timeoutAsync(now);
        return;
      }
      SocketWrapperBase<?> connection = getSocketWrapper();
      if (connection == null || !connection.getLock().tryLock()) {
        return;
      }
      try {
        if (connection.getCurrentProcessor() == this && isAsync()) {
          super.timeoutAsync(now);
        }
      } finally {
        connection.getLock().unlock();
      }
    }
  }

  private static final class Connections extends ConnectionHandler<NioChannel> {
    Connections(Http11Protocol protocol) {
      super(protocol);
    }

    @Override
    public SocketState process(SocketWrapperBase<NioChannel> connection, SocketEvent event) {
      if (event == SocketEvent.TIMEOUT && !isDue(connection.getCurrentProcessor())) {
        return SocketState.OPEN;
      }
      Lock outer = HANDLED.get();
      HANDLED.set(connection.getLock());
      try {
        return super.process(connection, event);
      } finally {
        HANDLED.set(outer);
      }
    }

    /** Returns whether Tomcat would handle a timeout. The caller holds the connection's lock. */
    private static boolean isDue(@Nullable Object current) {
      return current instanceof Processor processor
          && (processor.isAsync()
              ? processor.checkAsyncTimeoutGeneration()
              : processor.isUpgrade());
    }
  }
}
