package dev.mintmark.app.http;

import dev.mintmark.app.access.Access;
import dev.mintmark.app.maintenance.Maintenance;

/** What a server is made of beside its Spring context. */
record ServerParts(
    ServerOptions options,
    Served served,
    Readiness readiness,
    WarmUp warmUp,
    PoolWatches watches,
    ServerMeters meters) {

  static ServerParts of(
      ServerOptions options, Served served, Readiness readiness, WarmUp warmUp, CallerLoads loads) {
    PoolWatches watches =
        new PoolWatches(served.pools(), served.access(), options.listening(), System::nanoTime);
    ServerMeters meters = new ServerMeters(served.pools(), readiness, watches, loads);
    served.pools().reportClaims(meters.ofClaims());
    return new ServerParts(options, served, readiness, warmUp, watches, meters);
  }

  /** Ends what works beside requests. */
  void stop() {
    warmUp.stop();
    watches.close();
    served.maintenance().ifPresent(Maintenance::close);
  }

  /** Closes what requests use: none may be running. */
  void close() {
    served.access().ifPresent(Access::close);
    meters.close();
    options.tracing().ifPresent(Tracing::close);
    served.pools().close();
  }
}
