package dev.mintmark.postgres.pool;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How fast the owners of a pool claim, in this instance: a token bucket for each owner, which is
 * full at first. It is kept as the time at which the bucket is full again (generic cell rate
 * algorithm, ITU-T I.371), so an owner takes one number.
 *
 * <p>At most {@value #OWNERS_MAX} owners are known; the one that claimed the longest ago is
 * forgotten, and has a full bucket. Safe for use by many threads.
 */
final class ClaimRates {
  static final int OWNERS_MAX = 100_000;

  private final LongSupplier nanoTime;
  private final Map<String, Long> fullAt;

  ClaimRates(LongSupplier nanoTime) {
    this(nanoTime, OWNERS_MAX);
  }

  ClaimRates(LongSupplier nanoTime, int ownersMax) {
    this.nanoTime = nanoTime;
    this.fullAt = new OldestForgotten(ownersMax);
  }

  private static final class OldestForgotten extends LinkedHashMap<String, Long> {
    private static final long serialVersionUID = 1L;

    private final int max;

    OldestForgotten(int max) {
      super(16, 0.75f, true);
      this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
      return size() > max;
    }
  }

  /**
   * Takes values from the bucket of an owner.
   *
   * @param values how many; more than a full bucket has count as a full bucket
   * @return empty if they were there; else nothing is taken, and they are there after this time
   */
  Optional<Duration> take(String owner, int values, PoolGate.Rate rate) {
    long eachNanos = Math.max(1, rate.per().toNanos() / rate.claims());
    long bucketNanos = eachNanos * rate.claims();
    long taken = eachNanos * Math.min(values, rate.claims());
    synchronized (fullAt) {
      long now = nanoTime.getAsLong();
      long missing = Math.max(0, Math.min(bucketNanos, fullAt.getOrDefault(owner, now) - now));
      long wait = missing + taken - bucketNanos;
      if (wait > 0) {
        return Optional.of(Duration.ofNanos(wait));
      }
      fullAt.put(owner, now + missing + taken);
      return Optional.empty();
    }
  }

  int size() {
    synchronized (fullAt) {
      return fullAt.size();
    }
  }
}
