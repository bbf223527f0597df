package dev.mintmark.app.view;

import dev.mintmark.Block;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arrays of a JSON body, which may hold null where a value is expected. */
final class JsonArrays {
  private JsonArrays() {}

  /**
   * Returns the elements.
   *
   * @param key the key of the array, for the message
   * @throws IllegalArgumentException if an element is null
   */
  static <T> List<T> withoutNull(String key, List<@Nullable T> elements) {
    List<T> all = new ArrayList<>();
    for (T element : elements) {
      if (element == null) {
        throw new IllegalArgumentException(key + ": an element is null");
      }
      all.add(element);
    }
    return all;
  }

  /**
   * Parses the blocks of an array; no array has no blocks.
   *
   * @throws IllegalArgumentException if an element is null or malformed
   */
  static List<Block> blocks(String key, @Nullable List<@Nullable String> texts) {
    return texts == null ? List.of() : withoutNull(key, texts).stream().map(Block::parse).toList();
  }
}
