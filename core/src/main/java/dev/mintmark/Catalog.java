package dev.mintmark;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The identifiers of an organisation, declared in one place: the namespace, its collections and its
 * pools. Immutable.
 *
 * @param namespace ours, the first segment of our pURIs: 1 to 63 of {@code a-z}, {@code 0-9} and
 *     {@code -}, starting with a letter
 * @param collections in the order they were declared
 * @param pools in the order they were declared
 */
public record Catalog(String namespace, List<CollectionSpec> collections, List<PoolSpec> pools) {
  public Catalog {
    CatalogName.check("namespace", namespace);
    collections = List.copyOf(collections);
    pools = List.copyOf(pools);
    Map<String, String> owners = new HashMap<>();
    for (CollectionSpec collection : collections) {
      claimName(owners, collection.name(), collection.name());
      collection.aliases().forEach(alias -> claimName(owners, alias, collection.name()));
    }
    Set<String> poolNames = new HashSet<>();
    for (PoolSpec pool : pools) {
      if (!poolNames.add(pool.name())) {
        throw new IllegalArgumentException(
            "pool " + Quoted.of(pool.name()) + ": the name is taken by another pool");
      }
    }
  }

  /** Returns the collection of that name or alias. */
  public Optional<CollectionSpec> collection(String name) {
    return collections.stream()
        .filter(spec -> spec.name().equals(name) || spec.aliases().contains(name))
        .findFirst();
  }

  /** Returns the pool of that name. */
  public Optional<PoolSpec> pool(String name) {
    return pools.stream().filter(spec -> spec.name().equals(name)).findFirst();
  }

  private static void claimName(Map<String, String> owners, String name, String collection) {
    String owner = owners.putIfAbsent(name, collection);
    if (owner != null) {
      throw new IllegalArgumentException(
          "collection "
              + Quoted.of(collection)
              + ": the name "
              + Quoted.of(name)
              + " is taken by "
              + Quoted.of(owner));
    }
  }
}
