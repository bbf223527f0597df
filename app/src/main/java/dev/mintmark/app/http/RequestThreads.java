package dev.mintmark.app.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.coyote.ProtocolHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * Runs work in the threads in which Tomcat handles requests. {@link
 * jakarta.servlet.AsyncContext#start} uses the same threads, but executes the pending dispatches of
 * its request afterwards. If the work has completed the request, Tomcat may use the same objects
 * for the next request by then, and a dispatch of that request can be lost. Thread-safe.
 */
final class RequestThreads
    implements Executor, WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private volatile @Nullable ProtocolHandler handler;

  @Override
  public void customize(TomcatServletWebServerFactory server) {
    server.addConnectorCustomizers(connector -> handler = connector.getProtocolHandler());
  }

  /**
   * Runs the work in one of the threads, later.
   *
   * @throws RejectedExecutionException if the server does not run
   */
  @Override
  public void execute(Runnable work) {
    ProtocolHandler running = handler;
    Executor threads = running == null ? null : running.getExecutor();
    if (threads == null) {
      throw new RejectedExecutionException("the server does not run");
    }
    threads.execute(work);
  }
}
