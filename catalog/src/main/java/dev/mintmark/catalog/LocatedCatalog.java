package dev.mintmark.catalog;

import dev.mintmark.Catalog;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A catalog that knows on which lines its parts were declared, for what is found out about them
 * later, against a database. Immutable.
 *
 * <pre>{@code
 * LocatedCatalog read = CatalogReader.readLocated(Path.of("mintmark.yaml"));
 * read.collection("meats", "table");                    // mintmark.yaml:7
 * read.at("namespaces", "jimmys", "collections", "x");  // mintmark.yaml:12
 * }</pre>
 */
public final class LocatedCatalog {
  private final Catalog catalog;
  private final YamlValue root;

  LocatedCatalog(Catalog catalog, YamlValue root) {
    this.catalog = catalog;
    this.root = root;
  }

  /** The catalog itself. */
  public Catalog catalog() {
    return catalog;
  }

  /**
   * Returns the line of one of our collections.
   *
   * @param name its name, not an alias
   * @param path to a part of it as {@link #at} has it: a key, {@code table}
   */
  public Location collection(String name, String... path) {
    return at(
        Stream.concat(Stream.of("collections", name), Stream.of(path)).toArray(String[]::new));
  }

  /**
   * Returns the line of a part of the catalog, or that of the nearest one around it where it is not
   * there, such as a key that was left out.
   *
   * @param path the keys that lead to it, and of a list the value: {@code collections}, {@code
   *     meats}, {@code referenced-by}, {@code orders.meat_id}
   */
  public Location at(String... path) {
    YamlValue value = root;
    for (String step : path) {
      Optional<YamlValue> next = value.child(step);
      if (next.isEmpty()) {
        break;
      }
      value = next.get();
    }
    return value.location();
  }
}
