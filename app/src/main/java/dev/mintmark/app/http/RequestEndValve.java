package dev.mintmark.app.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.AccessLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * What is told when a request has ended: Tomcat calls {@link #log} once for each, also for one that
 * it rejects itself, that is dispatched again, or that is a stream.
 */
abstract class RequestEndValve extends ValveBase implements AccessLog {
  RequestEndValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    getNext().invoke(request, response);
  }

  @Override
  public final void setRequestAttributesEnabled(boolean enabled) {}

  /** No header about the client is believed but by {@link Listening}. */
  @Override
  public final boolean getRequestAttributesEnabled() {
    return false;
  }
}
