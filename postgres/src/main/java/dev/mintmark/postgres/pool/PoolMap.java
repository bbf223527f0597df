package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import java.util.List;

/**
 * The state of each value in a stretch of a pool, for drawing.
 *
 * @param from the position of the first value, from 0
 * @param total how many positions the pool has; {@link Long#MAX_VALUE} where there are more
 * @param stretches the blocks the stretch runs through, in order
 * @param states one letter for each value: {@code f} free, {@code h} held, {@code q} quarantined,
 *     {@code d} draining, {@code x} excluded
 */
public record PoolMap(long from, long total, List<Stretch> stretches, String states) {
  /**
   * The part of one block that a map shows.
   *
   * @param block the whole block
   * @param from the position of its first value shown
   * @param first its first value shown; the others follow without a gap
   * @param count how many of its values are shown
   */
  public record Stretch(Block block, long from, String first, int count) {}
}
