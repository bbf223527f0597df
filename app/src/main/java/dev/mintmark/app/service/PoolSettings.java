package dev.mintmark.app.service;

import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a pool as users and clients write them: those that are given, null for the others.
 *
 * @param perOwner {@value #NO_QUOTA} for no quota
 * @param lease a length of time, or {@value #NONE}
 * @param history a length of time, or {@value #NONE}
 * @param keepFree of a pool that gets its blocks from another one
 * @param thresholds in percent
 */
public record PoolSettings(
    @Nullable String order,
    @Nullable Integer perClient,
    @Nullable Integer perOwner,
    @Nullable Boolean sticky,
    @Nullable String lease,
    @Nullable String quarantine,
    @Nullable String history,
    @Nullable String afterFailover,
    @Nullable Long keepFree,
    @Nullable List<Integer> thresholds) {
  /** The text of {@code lease} or {@code history} that turns the setting off. */
  public static final String NONE = "none";

  /** The {@code perOwner} of a pool whose owners may hold any number. */
  public static final int NO_QUOTA = 0;

  private static final PoolSettings NOTHING =
      new PoolSettings(null, null, null, null, null, null, null, null, null, null);

  /** Whether no setting is given. */
  public boolean isEmpty() {
    return equals(NOTHING);
  }

  /**
   * Returns the pool with these settings instead of its own.
   *
   * @throws IllegalArgumentException if one is malformed or out of range
   */
  public PoolSpec on(PoolSpec pool) {
    return pool.withOrder(order == null ? pool.order() : parseOrder(order))
        .withPerClient(perClient == null ? pool.perClient() : perClient)
        .withPerOwner(perOwner == null ? pool.perOwner() : quota(perOwner))
        .withSticky(sticky == null ? pool.sticky() : sticky)
        .withQuarantine(
            quarantine == null ? pool.quarantine() : DurationKey.parse("quarantine", quarantine))
        .withHistory(durationOr(pool.history(), "history", history))
        .withThresholds(thresholds == null ? pool.thresholds() : thresholds)
        .withSource(keepFree == null ? pool.source() : Optional.of(source(pool, keepFree)))
        // A conduct that needs a lease comes after the lease.
        .withAfterFailover(Optional.empty())
        .withLease(durationOr(pool.lease(), "lease", lease))
        .withAfterFailover(
            afterFailover == null
                ? pool.afterFailover()
                : Optional.of(parseAfterFailover(afterFailover)));
  }

  private static PoolSpec.Source source(PoolSpec pool, long keepFree) {
    String source =
        pool.source()
            .map(PoolSpec.Source::pool)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "keep_free: pool \"%s\" has blocks of its own: expected a pool that gets them from another one"
                            .formatted(pool.name())));
    return new PoolSpec.Source(source, keepFree);
  }

  private static Optional<Integer> quota(int perOwner) {
    return perOwner == NO_QUOTA ? Optional.empty() : Optional.of(perOwner);
  }

  private static PoolSpec.Order parseOrder(String label) {
    return switch (label) {
      case "random" -> PoolSpec.Order.RANDOM;
      case "ascending" -> PoolSpec.Order.ASCENDING;
      default ->
          throw new IllegalArgumentException(
              "order is " + Quoted.of(label) + ": expected random or ascending");
    };
  }

  private static PoolSpec.AfterFailover parseAfterFailover(String label) {
    try {
      return PoolSpec.AfterFailover.parse(label);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("after_failover: " + e.getMessage(), e);
    }
  }

  private static Optional<Duration> durationOr(
      Optional<Duration> usual, String key, @Nullable String declared) {
    if (declared == null) {
      return usual;
    }
    return declared.equals(NONE) ? Optional.empty() : Optional.of(DurationKey.parse(key, declared));
  }
}
