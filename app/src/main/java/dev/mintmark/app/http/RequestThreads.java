package dev.mintmark.app.http;

import java.util.Objects;
import java.util.concurrent.Executor;
import org.apache.coyote.ProtocolHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * The threads in which Tomcat handles requests, for work that goes on with one. {@link
 * jakarta.servlet.AsyncContext#start} uses the same, but looks behind the work for what else the
 * connection has to do. The work may have ended the request by then, and Tomcat uses its objects
 * for another: what is found belongs to that one, and may be lost to it.
 */
final class RequestThreads
    implements Executor, WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
  private volatile @Nullable ProtocolHandler handler;

  @Override
  public void customize(TomcatServletWebServerFactory server) {
    server.setProtocol(Http11Protocol.class.getName());
    server.addConnectorCustomizers(connector -> handler = connector.getProtocolHandler());
  }

  @Override
  public void execute(Runnable work) {
    Objects.requireNonNull(handler, "the server has not started").getExecutor().execute(work);
  }
}
