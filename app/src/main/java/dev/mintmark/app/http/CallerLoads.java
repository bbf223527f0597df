package dev.mintmark.app.http;

import dev.mintmark.DurationText;
import dev.mintmark.postgres.pool.PoolGate.Rate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What each caller asks for at present, held against the {@link RequestLimits}.
 *
 * <p>The rate is that of a bucket which holds as many requests as the rate has in its time, and
 * fills evenly. It is kept as one number, the time at which the bucket will be full (the generic
 * cell rate algorithm, ITU-T I.371): a request moves it by the time of one request, and is refused
 * if the bucket would be overdrawn. A refused request costs nothing, so whoever waits as long as
 * told is admitted.
 *
 * <p>At most {@value #CALLERS_MAX} callers are counted each for itself; further ones share a count.
 * A caller that asks for nothing is forgotten. Safe for use by many threads: callers do not wait
 * for one another.
 */
final class CallerLoads {
  static final int CALLERS_MAX = 10_000;

  /** How long whoever has too many requests in progress is asked to wait. */
  private static final Duration RETRY_AT_ONCE = Duration.ofSeconds(1);

  private static final Duration FORGET_EVERY = Duration.ofSeconds(1);

  /** The count of those for whom there is no room. No caller is called so. */
  private static final String OTHERS = "";

  private final RequestLimits limits;
  private final LongSupplier nanoTime;
  private final long fillNanos;
  private final long requestNanos;
  private final Map<String, Load> loads = new ConcurrentHashMap<>();
  private final AtomicLong forgottenNanos;
  private final LongAdder overRate = new LongAdder();
  private final LongAdder overAtOnce = new LongAdder();

  CallerLoads(RequestLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.forgottenNanos = new AtomicLong(nanoTime.getAsLong() - FORGET_EVERY.toNanos());
    this.fillNanos = limits.rate().map(rate -> rate.per().toNanos()).orElse(0L);
    this.requestNanos =
        limits.rate().map(rate -> Math.max(1, fillNanos / rate.claims())).orElse(0L);
  }

  /**
   * What one caller asks for.
   *
   * @param fullNanos when its bucket will be full
   * @param inProgress its requests that have not ended
   */
  private record Load(long fullNanos, int inProgress) {
    boolean isIdle(long now) {
      return inProgress == 0 && fullNanos - now <= 0;
    }
  }

  /**
   * Why a request is refused.
   *
   * @param limit what it would exceed
   * @param retryAfter after which it would be admitted, if nothing else is sent meanwhile
   */
  record Refusal(String limit, Duration retryAfter) {}

  /** A request that is in progress if it is not refused. */
  final class Request {
    private final String counted;
    private final @Nullable Refusal refusal;
    private boolean ended;

    private Request(String counted, @Nullable Refusal refusal) {
      this.counted = counted;
      this.refusal = refusal;
      this.ended = refusal != null;
    }

    Optional<Refusal> refusal() {
      return Optional.ofNullable(refusal);
    }

    /** Has no effect after the first time. */
    synchronized void end() {
      if (!ended) {
        ended = true;
        loads.computeIfPresent(counted, (name, load) -> ended(load));
      }
    }
  }

  /** Whether nothing is refused, so that nothing needs to be counted. */
  boolean areUnlimited() {
    return limits.equals(RequestLimits.NONE);
  }

  /** Counts a request of a caller. */
  Request begin(String caller) {
    long now = nanoTime.getAsLong();
    String counted = counted(caller, now);
    @Nullable Refusal[] refusal = new Refusal[1];
    loads.compute(
        counted,
        (name, load) -> {
          Load before = load == null ? new Load(now, 0) : load;
          refusal[0] = refusal(before, now);
          return refusal[0] == null ? begun(before, now) : load;
        });
    return new Request(counted, refusal[0]);
  }

  private String counted(String caller, long now) {
    if (loads.size() < CALLERS_MAX || loads.containsKey(caller)) {
      return caller;
    }
    forgetIdle(now);
    return loads.size() < CALLERS_MAX ? caller : OTHERS;
  }

  /** Looks at all callers, so not for each of many new ones. */
  private void forgetIdle(long now) {
    long last = forgottenNanos.get();
    if (now - last >= FORGET_EVERY.toNanos() && forgottenNanos.compareAndSet(last, now)) {
      loads.values().removeIf(load -> load.isIdle(now));
    }
  }

  private @Nullable Refusal refusal(Load load, long now) {
    if (limits.atOnce().isPresent() && load.inProgress >= limits.atOnce().getAsInt()) {
      overAtOnce.increment();
      return new Refusal(
          "%s requests in progress at a time".formatted(limits.atOnce().getAsInt()), RETRY_AT_ONCE);
    }
    long missing = full(load, now) + requestNanos - now - fillNanos;
    if (limits.rate().isPresent() && missing > 0) {
      overRate.increment();
      Rate rate = limits.rate().get();
      return new Refusal(
          "%s requests in %s".formatted(rate.claims(), DurationText.format(rate.per())),
          Duration.ofNanos(missing));
    }
    return null;
  }

  private Load begun(Load load, long now) {
    return new Load(full(load, now) + requestNanos, load.inProgress + 1);
  }

  private @Nullable Load ended(Load load) {
    Load after = new Load(load.fullNanos, load.inProgress - 1);
    return after.isIdle(nanoTime.getAsLong()) ? null : after;
  }

  /** Times of the clock are compared by their difference, because they may overflow. */
  private static long full(Load load, long now) {
    return load.fullNanos - now > 0 ? load.fullNanos : now;
  }

  /** How many requests were refused because of the rate. */
  long refusedByRate() {
    return overRate.sum();
  }

  /** How many requests were refused because others of their caller were in progress. */
  long refusedAtOnce() {
    return overAtOnce.sum();
  }

  /** How many callers are counted. */
  int size() {
    return loads.size();
  }
}
