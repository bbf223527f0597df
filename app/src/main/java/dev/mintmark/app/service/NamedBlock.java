package dev.mintmark.app.service;

import dev.mintmark.Block;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A block of a pool as given by a user: the declared text or an equivalent one, {@code 10.0.0.1}
 * for {@code 10.0.0.1/32}; a list by its name.
 *
 * @param text the text of the user
 */
public record NamedBlock(Pool pool, String text) {
  /** Returns the declared text of the block; empty if the pool has no such block. */
  public Optional<String> declared() {
    Set<String> declared =
        pool.stats().blocks().stream().map(BlockStats::block).collect(Collectors.toSet());
    return Optional.of(text)
        .filter(declared::contains)
        .or(() -> canonical().filter(declared::contains));
  }

  /** Returns the message for a pool without such a block. */
  public String unknown() {
    return "pool \"%s\" has no block %s".formatted(pool.name(), Quoted.of(text));
  }

  /** Returns why the block could not be removed, from its present counts. */
  public String whyStillThere() {
    String declared = declared().orElse(text);
    return pool.stats().blocks().stream()
        .filter(block -> block.block().equals(declared))
        .findFirst()
        .map(
            block ->
                (block.drains()
                        ? "pool \"%s\": %s is still in use (held=%s, quarantined=%s)"
                        : "pool \"%s\": %s is not drained (held=%s, quarantined=%s): drain it first")
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
