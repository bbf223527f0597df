package dev.mintmark.catalog;

import java.util.Optional;
import java.util.function.Supplier;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A line of a catalog.
 *
 * @param file what the reader was told the catalog is called
 * @param line counted from 1
 */
public record Location(String file, int line) {
  /** The line of a mark, which the engine sets on everything that it reads from a text. */
  static Location of(String file, Optional<Mark> mark) {
    return new Location(file, mark.map(Mark::getLine).orElse(0) + 1);
  }

  /** The line in the same file where a node starts. */
  Location of(Node node) {
    return of(file, node.getStartMark());
  }

  CatalogException wrong(String what) {
    return new CatalogException(this, what);
  }

  CatalogException wrong(String what, Throwable cause) {
    return new CatalogException(this, what, cause);
  }

  /** Returns what {@code model} makes; what it refuses is reported here. */
  <T> T modelled(Supplier<T> model) {
    try {
      return model.get();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }

  /** {@code FILE:LINE}. */
  @Override
  public String toString() {
    return file + ":" + line;
  }
}
