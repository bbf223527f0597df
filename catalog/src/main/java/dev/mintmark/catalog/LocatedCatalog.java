package dev.mintmark.catalog;

import dev.mintmark.Catalog;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A catalog with the line of each of its parts, for errors that are found later, against a
 * database. Immutable.
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

  /** Returns the catalog. */
  public Catalog catalog() {
    return catalog;
  }

  /**
   * Returns the line of one of our collections.
   *
   * @param name its name, not an alias
   * @param path the path of a part of it, as for {@link #at}: a key, {@code table}
   */
  public Location collection(String name, String... path) {
    return at(
        Stream.concat(Stream.of("collections", name), Stream.of(path)).toArray(String[]::new));
  }

  /**
   * Returns the line of a part of the catalog. If the part does not exist, because a key was left
   * out, returns the line of the nearest part around it.
   *
   * @param path the keys that lead to the part, and for an item of a list its value: {@code
   *     collections}, {@code meats}, {@code referenced-by}, {@code orders.meat_id}
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
