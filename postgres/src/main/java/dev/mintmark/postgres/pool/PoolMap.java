package dev.mintmark.postgres.pool;

import dev.mintmark.Block;
import java.util.List;

/**
 * The state of each value in a range of positions of a pool.
 *
 * @param from the position of the first value, from 0
 * @param total how many positions the pool has; {@link Long#MAX_VALUE} if there are more
 * @param stretches the parts of blocks in the range, in order
 * @param states one letter for each value: {@code f} free, {@code h} held, {@code q} quarantined,
 *     {@code d} draining, {@code x} excluded
 */
public record PoolMap(long from, long total, List<Stretch> stretches, String states) {
  /**
   * The part of one block that a map shows.
   *
   * @param block the whole block
   * @param from the position of its first value shown
   * @param first its first value shown; the other values follow without a gap
   * @param count how many of its values are shown
   */
  public record Stretch(Block block, long from, String first, int count) {}
}
