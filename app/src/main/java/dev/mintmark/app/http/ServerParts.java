package dev.mintmark.app.http;

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
    PoolWatches watches = new PoolWatches(served.access(), options.listening(), System::nanoTime);
    ServerMeters meters = new ServerMeters(served.pools(), readiness, watches, loads);
    served.pools().reportClaims(meters.ofClaims());
    return new ServerParts(options, served, readiness, warmUp, watches, meters);
  }
}
