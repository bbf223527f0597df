package dev.mintmark.app.http;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.maintenance.Maintenance;
import dev.mintmark.app.service.RowSearch;
import java.time.Duration;
import java.util.Optional;

/**
 * What a server offers beside ids and pools, and to whom.
 *
 * @param listening where it listens
 * @param listens whether the pools listen for notifications of other instances; if so, the log
 *     reports when they do not arrive
 * @param rows the search for the rows of identifiers
 * @param maintenance the doctor and the migrations, which are closed with the server; without them
 *     the server has no such paths
 * @param access the keys and the audit, which are closed with the server; empty: the database has
 *     no tables for them
 * @param limits what one caller may ask for
 * @param tracing where spans of requests are sent, which is closed with the server; empty: nowhere
 * @param warmUp how long the server sends requests to itself before it is ready; zero: not at all
 */
public record ServerOptions(
    Listening listening,
    boolean listens,
    RowSearch rows,
    Optional<Maintenance> maintenance,
    Optional<Access> access,
    RequestLimits limits,
    Optional<Tracing> tracing,
    Duration warmUp) {

  /**
   * A server on the loopback interface that neither searches nor migrates, and has no keys.
   *
   * @param port 0 takes a free one
   */
  public static ServerOptions onLoopback(int port) {
    return at(Listening.onLoopback(port));
  }

  /** A server that neither searches nor migrates, and has no keys. */
  public static ServerOptions at(Listening listening) {
    return new ServerOptions(
        listening,
        false,
        RowSearch.off(),
        Optional.empty(),
        Optional.empty(),
        RequestLimits.NONE,
        Optional.empty(),
        Duration.ZERO);
  }

  public ServerOptions withListens(boolean listens) {
    return new ServerOptions(
        listening, listens, rows, maintenance, access, limits, tracing, warmUp);
  }

  public ServerOptions withRows(RowSearch rows) {
    return new ServerOptions(
        listening, listens, rows, maintenance, access, limits, tracing, warmUp);
  }

  public ServerOptions withMaintenance(Maintenance maintenance) {
    return new ServerOptions(
        listening, listens, rows, Optional.of(maintenance), access, limits, tracing, warmUp);
  }

  public ServerOptions withAccess(Optional<Access> access) {
    return new ServerOptions(
        listening, listens, rows, maintenance, access, limits, tracing, warmUp);
  }

  public ServerOptions withLimits(RequestLimits limits) {
    return new ServerOptions(
        listening, listens, rows, maintenance, access, limits, tracing, warmUp);
  }

  public ServerOptions withTracing(Optional<Tracing> tracing) {
    return new ServerOptions(
        listening, listens, rows, maintenance, access, limits, tracing, warmUp);
  }

  public ServerOptions withWarmUp(Duration warmUp) {
    return new ServerOptions(
        listening, listens, rows, maintenance, access, limits, tracing, warmUp);
  }
}
