package dev.mintmark.app.view;

import dev.mintmark.Block;
import dev.mintmark.NumberRange;
import dev.mintmark.NumberRuns;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.service.PoolSettings;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a new pool, as JSON: its values, and the settings that differ from the
 * defaults. The values are given by exactly one of {@code blocks}, {@code range} and {@code lists},
 * or come from the pool {@code blocksFrom}.
 *
 * @param keepFree with {@code blocksFrom}: how many values are kept free
 */
public record PoolDeclarationJson(
    @Nullable String name,
    @Nullable String database,
    @Nullable List<@Nullable String> blocks,
    @Nullable String range,
    @Nullable List<@Nullable ValueListJson> lists,
    @Nullable String blocksFrom,
    @Nullable Long keepFree,
    @Nullable List<@Nullable String> exclude,
    @Nullable String order,
    @Nullable Integer perClient,
    @Nullable Integer perOwner,
    @Nullable Boolean sticky,
    @Nullable String lease,
    @Nullable String quarantine,
    @Nullable String history,
    @Nullable Ipv6EmbeddingJson ipv6,
    @Nullable String afterFailover,
    @Nullable List<@Nullable Integer> thresholds) {
  /**
   * Returns the pool that is declared.
   *
   * @throws IllegalArgumentException if a key is missing or malformed
   */
  public PoolSpec toSpec() {
    if (Stream.of(blocks, range, lists, blocksFrom).filter(Objects::nonNull).count() != 1) {
      throw new IllegalArgumentException("expected one of blocks, range, lists and blocks_from");
    }
    if (blocksFrom != null) {
      return toSpec(List.of());
    }
    if (blocks != null) {
      return toSpec(JsonArrays.blocks("blocks", blocks));
    }
    return toSpec(range == null ? parseLists(lists) : List.of(parseRange(range)));
  }

  /**
   * Returns the pool with the given blocks instead of its own.
   *
   * @param values none if it gets its blocks from another pool
   * @throws IllegalArgumentException if a key is missing or malformed
   */
  public PoolSpec toSpec(List<Block> values) {
    if (name == null) {
      throw new IllegalArgumentException("name is missing");
    }
    if (perOwner != null && perOwner == PoolSettings.NO_QUOTA) {
      throw new IllegalArgumentException("per_owner is 0: omit it for no quota");
    }
    PoolSettings settings =
        new PoolSettings(
            order,
            perClient,
            perOwner,
            sticky,
            lease,
            quarantine,
            history,
            afterFailover,
            null,
            thresholds == null ? null : JsonArrays.withoutNull("thresholds", thresholds));
    return settings.on(
        pool(name, values)
            .withDatabase(Optional.ofNullable(database))
            .withExclude(JsonArrays.blocks("exclude", exclude))
            .withIpv6(Optional.ofNullable(ipv6).map(Ipv6EmbeddingJson::toEmbedding)));
  }

  private PoolSpec pool(String named, List<Block> values) {
    if ((blocksFrom == null) != (keepFree == null)) {
      throw new IllegalArgumentException("blocks_from and keep_free require each other");
    }
    return blocksFrom == null || keepFree == null
        ? PoolSpec.of(named, values)
        : PoolSpec.of(named, new PoolSpec.Source(blocksFrom, keepFree)).withBlocks(values);
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
}
