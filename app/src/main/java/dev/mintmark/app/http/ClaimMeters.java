package dev.mintmark.app.http;

import dev.mintmark.postgres.pool.ClaimListener;
import dev.mintmark.postgres.pool.ClaimResult;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The timer {@code mintmark.pool.claim} of claims, with the tags {@code pool} and {@code outcome},
 * as the Spring Boot starter has it. Claims from a pool that does not exist are not counted: their
 * names would be without bound. Thread-safe.
 */
final class ClaimMeters implements ClaimListener {
  private static final Duration[] BOUNDS = {
    Duration.ofMillis(1),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2_500),
    Duration.ofSeconds(5)
  };

  private final MeterRegistry registry;
  private final Map<String, Map<String, Timer>> timers = new ConcurrentHashMap<>();

  ClaimMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Begun began(String pool) {
    long begin = System.nanoTime();
    return new Begun() {
      @Override
      public void ended(ClaimResult result) {
        record(pool, result.outcome(), begin);
      }

      @Override
      public void failed(Throwable failure) {
        record(pool, "failed", begin);
      }
    };
  }

  private void record(String pool, String outcome, long begin) {
    timers
        .computeIfAbsent(pool, name -> new ConcurrentHashMap<>())
        .computeIfAbsent(outcome, name -> timer(pool, name))
        .record(System.nanoTime() - begin, TimeUnit.NANOSECONDS);
  }

  private Timer timer(String pool, String outcome) {
    return Timer.builder("mintmark.pool.claim")
        .description("Claims of values by pool and outcome")
        .tag("pool", pool)
        .tag("outcome", outcome)
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }
}
