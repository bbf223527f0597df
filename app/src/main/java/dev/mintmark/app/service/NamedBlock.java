package dev.mintmark.app.service;

import dev.mintmark.Block;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A block of a pool, as somebody names it: by the text it was declared by, or another for the same,
 * {@code 10.0.0.1} for {@code 10.0.0.1/32}; a list by its name.
 *
 * @param text what it is called
 */
public record NamedBlock(Pool pool, String text) {
  /** The text that the pool has for it; empty if the pool has no such block. */
  public Optional<String> declared() {
    Set<String> declared =
        pool.stats().blocks().stream().map(BlockStats::block).collect(Collectors.toSet());
    return Optional.of(text)
        .filter(declared::contains)
        .or(() -> canonical().filter(declared::contains));
  }

  /** What is said where the pool has no such block. */
  public String unknown() {
    return "pool \"%s\" has no block %s".formatted(pool.name(), Quoted.of(text));
  }

  /** Why it could not be removed, by how it stands now. */
  public String whyStillThere() {
    String declared = declared().orElse(text);
    return pool.stats().blocks().stream()
        .filter(block -> block.block().equals(declared))
        .findFirst()
        .map(
            block ->
                (block.drains()
                        ? "pool \"%s\": %s is still in use (held=%d, quarantined=%d)"
                        : "pool \"%s\": %s is not drained (held=%d, quarantined=%d): drain it first")
                    .formatted(pool.name(), declared, block.held(), block.quarantined()))
        .orElseGet(this::unknown);
  }

  private Optional<String> canonical() {
    try {
      return Optional.of(Block.parse(text).toString());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
