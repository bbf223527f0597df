package dev.mintmark.app.http;

import dev.mintmark.postgres.pool.ClaimListener;
import dev.mintmark.postgres.pool.Pools;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.ToDoubleFunction;

/**
 * The meters of a server: of its claims, its pools, its database and its process.
 * docs/operations.md lists them. Thread-safe.
 */
final class ServerMeters implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final ClaimListener claims = new ClaimMeters(registry);
  private final PoolMeters pools;

  ServerMeters(Pools pools, Readiness readiness, PoolWatches watches, CallerLoads loads) {
    this.pools = new PoolMeters(registry, pools, System::nanoTime);
    Gauge.builder("mintmark.ready", readiness, r -> r.isReady() ? 1 : 0)
        .description("1 while the database answers, 0 otherwise")
        .register(registry);
    Gauge.builder("mintmark.notifications.arriving", pools, p -> p.isListening() ? 1 : 0)
        .description("1 while LISTEN receives notifications of other instances, 0 otherwise")
        .register(registry);
    FunctionCounter.builder("mintmark.pool.statements", pools, Pools::statements)
        .description("Statements that were sent to the database for pools")
        .register(registry);
    Gauge.builder("mintmark.pool.watches", watches, PoolWatches::count)
        .description("Clients that watch a pool")
        .register(registry);
    FunctionCounter.builder("mintmark.pool.watch.readings", watches, PoolWatches::readings)
        .description("Readings of pools for the clients that watch them")
        .register(registry);
    refused(loads, "rate", CallerLoads::refusedByRate);
    refused(loads, "at_once", CallerLoads::refusedAtOnce);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  private void refused(CallerLoads loads, String limit, ToDoubleFunction<CallerLoads> count) {
    FunctionCounter.builder("mintmark.requests.refused", loads, count)
        .description("Requests that were refused because their caller has sent too many")
        .tag("limit", limit)
        .register(registry);
  }

  /** What measures claims. */
  ClaimListener ofClaims() {
    return claims;
  }

  /** Returns all meters in the text format of Prometheus, version 0.0.4. */
  String text() {
    pools.refresh();
    return registry.scrape();
  }

  @Override
  public void close() {
    collections.close();
    registry.close();
  }
}
