package dev.mintmark.app.http;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a server that do not depend on its database.
 *
 * @param listening where it listens
 * @param listens whether the pools listen for notifications of other instances; if so, the log
 *     reports when they do not arrive
 * @param maintains whether it has the paths of the doctor and of migrations, for which it needs
 *     {@link Served#maintenance}
 * @param limits what one caller may ask for
 * @param tracing where spans of requests are sent, which is closed with the server; empty: nowhere
 * @param warmUp how long the server sends requests to itself before it is ready; zero: not at all
 */
public record ServerOptions(
    Listening listening,
    boolean listens,
    boolean maintains,
    RequestLimits limits,
    Optional<Tracing> tracing,
    Duration warmUp) {

  /**
   * A server on the loopback interface that does not migrate.
   *
   * @param port 0 takes a free one
   */
  public static ServerOptions onLoopback(int port) {
    return at(Listening.onLoopback(port));
  }

  /** A server that does not migrate. */
  public static ServerOptions at(Listening listening) {
    return new ServerOptions(
        listening, false, false, RequestLimits.NONE, Optional.empty(), Duration.ZERO);
  }

  public ServerOptions withListens(boolean listens) {
    return new ServerOptions(listening, listens, maintains, limits, tracing, warmUp);
  }

  public ServerOptions withMaintains(boolean maintains) {
    return new ServerOptions(listening, listens, maintains, limits, tracing, warmUp);
  }

  public ServerOptions withLimits(RequestLimits limits) {
    return new ServerOptions(listening, listens, maintains, limits, tracing, warmUp);
  }

  public ServerOptions withTracing(Optional<Tracing> tracing) {
    return new ServerOptions(listening, listens, maintains, limits, tracing, warmUp);
  }

  public ServerOptions withWarmUp(Duration warmUp) {
    return new ServerOptions(listening, listens, maintains, limits, tracing, warmUp);
  }
}
