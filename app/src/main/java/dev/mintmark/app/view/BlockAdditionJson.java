package dev.mintmark.app.view;

import dev.mintmark.Block;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A block to be added to a pool, as JSON: either its text or a list, and its excluded values. */
public record BlockAdditionJson(
    @Nullable String block,
    @Nullable ValueListJson list,
    @Nullable List<@Nullable String> exclude) {
  /**
   * Returns the block.
   *
   * @throws IllegalArgumentException if it is missing, given twice or malformed
   */
  public Block toBlock() {
    if ((block == null) == (list == null)) {
      throw new IllegalArgumentException("expected either block or list");
    }
    return list == null ? Block.parse(String.valueOf(block)) : list.toList();
  }

  /**
   * Returns the excluded blocks.
   *
   * @throws IllegalArgumentException if one is malformed
   */
  public List<Block> toExclude() {
    return JsonArrays.blocks("exclude", exclude);
  }
}
