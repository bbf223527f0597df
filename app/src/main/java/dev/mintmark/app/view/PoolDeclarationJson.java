package dev.mintmark.app.view;

import dev.mintmark.Block;
import dev.mintmark.NumberRange;
import dev.mintmark.NumberRuns;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.app.service.DurationKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a new pool, as JSON: its values, and the settings that differ from the
 * defaults. The values are given by exactly one of {@code blocks}, {@code range} and {@code lists}.
 */
public record PoolDeclarationJson(
    @Nullable String name,
    @Nullable List<@Nullable String> blocks,
    @Nullable String range,
    @Nullable List<@Nullable ValueListJson> lists,
    @Nullable List<@Nullable String> exclude,
    @Nullable String order,
    @Nullable Integer perClient,
    @Nullable Integer perOwner,
    @Nullable Boolean sticky,
    @Nullable String lease,
    @Nullable String quarantine,
    @Nullable String history,
    @Nullable Ipv6EmbeddingJson ipv6,
    @Nullable String afterFailover) {
  /** The text of {@code lease} or {@code history} that turns the setting off. */
  private static final String NONE = "none";

  /**
   * Returns the pool that is declared.
   *
   * @throws IllegalArgumentException if a key is missing or malformed
   */
  public PoolSpec toSpec() {
    boolean one = blocks != null ? range == null && lists == null : range == null ^ lists == null;
    if (!one) {
      throw new IllegalArgumentException("expected one of blocks, range and lists");
    }
    if (blocks != null) {
      return toSpec(JsonArrays.blocks("blocks", blocks));
    }
    return toSpec(range == null ? parseLists(lists) : List.of(parseRange(range)));
  }

  /**
   * Returns the pool with the given blocks instead of its own.
   *
   * @throws IllegalArgumentException if a key is missing or malformed
   */
  public PoolSpec toSpec(List<Block> values) {
    if (name == null) {
      throw new IllegalArgumentException("name is missing");
    }
    PoolSpec pool = PoolSpec.of(name, values);
    return pool.withExclude(JsonArrays.blocks("exclude", exclude))
        .withOrder(order == null ? pool.order() : parseOrder(order))
        .withPerClient(perClient == null ? pool.perClient() : perClient)
        .withPerOwner(Optional.ofNullable(perOwner))
        .withSticky(sticky == null ? pool.sticky() : sticky)
        .withLease(durationOr(pool.lease(), "lease", lease))
        .withQuarantine(
            quarantine == null ? pool.quarantine() : DurationKey.parse("quarantine", quarantine))
        .withHistory(durationOr(pool.history(), "history", history))
        .withIpv6(Optional.ofNullable(ipv6).map(Ipv6EmbeddingJson::toEmbedding))
        .withAfterFailover(
            Optional.ofNullable(afterFailover).map(PoolDeclarationJson::parseAfterFailover));
  }

  private static List<Block> parseLists(@Nullable List<@Nullable ValueListJson> lists) {
    return lists == null
        ? List.of()
        : JsonArrays.withoutNull("lists", lists).stream()
            .<Block>map(ValueListJson::toList)
            .toList();
  }

  private static Block parseRange(String text) {
    return text.contains(" by ") ? NumberRuns.parse(text) : NumberRange.parse(text);
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
