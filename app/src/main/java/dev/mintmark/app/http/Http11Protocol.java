package dev.mintmark.app.http;

import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP/1.1 without a defect of its timeouts, seen in 11.0.24. Tomcat looks once a second
 * how long each request waits for its answer. If it is interrupted meanwhile, a request may have
 * ended that it looks at next; its start is gone, and so it seems to have waited for too long. The
 * connection is told of a timeout although it handles the next request. Tomcat sees that this is
 * wrong, but it takes the request from the connection before: the answer is not sent to its end,
 * and the client waits until its connection is closed.
 *
 * <p>Public because Tomcat creates it by its name.
 */
public final class Http11Protocol extends Http11NioProtocol {
  public Http11Protocol() {
    Handler<NioChannel> handler = new Connections(this);
    setHandler(handler);
    getEndpoint().setHandler(handler);
  }

  private static final class Connections extends ConnectionHandler<NioChannel> {
    Connections(Http11Protocol protocol) {
      super(protocol);
    }

    @Override
    public SocketState process(SocketWrapperBase<NioChannel> connection, SocketEvent event) {
      if (event == SocketEvent.TIMEOUT && !isTimedOut(connection.getCurrentProcessor())) {
        return SocketState.OPEN;
      }
      return super.process(connection, event);
    }

    /** Says what Tomcat would find, without taking the request. Its caller has a lock. */
    private static boolean isTimedOut(@Nullable Object request) {
      return request instanceof Processor processor
          && (processor.isAsync()
              ? processor.checkAsyncTimeoutGeneration()
              : processor.isUpgrade());
    }
  }
}
