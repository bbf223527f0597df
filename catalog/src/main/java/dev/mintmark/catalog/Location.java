package dev.mintmark.catalog;

import java.util.Optional;
import java.util.function.Supplier;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A line of a catalog.
 *
 * @param file the name of the catalog, as it was passed to the reader
 * @param line the number of the line, from 1
 */
public record Location(String file, int line) {
  /** Returns the line of a mark. The YAML engine sets a mark on everything that it reads. */
  static Location of(String file, Optional<Mark> mark) {
    return new Location(file, mark.map(Mark::getLine).orElse(0) + 1);
  }

  /** Returns the line of the same file on which a node starts. */
  Location of(Node node) {
    return of(file, node.getStartMark());
  }

  CatalogException wrong(String what) {
    return new CatalogException(this, what);
  }

  CatalogException wrong(String what, Throwable cause) {
    return new CatalogException(this, what, cause);
  }

  /**
   * Returns the result of {@code model}.
   *
   * @throws CatalogException at this line if {@code model} rejects its input
   */
  <T> T modelled(Supplier<T> model) {
    try {
      return model.get();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns {@code FILE:LINE}. */
  @Override
  public String toString() {
    return file + ":" + line;
  }
}
