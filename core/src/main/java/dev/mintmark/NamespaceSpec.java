package dev.mintmark;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The declaration of a namespace: the collections of one organisation. Name it after the
 * organisation, not after a system.
 *
 * @param name the first segment of its pURIs: of ours 1 to 63 of {@code a-z}, {@code 0-9} and
 *     {@code -}, starting with a letter; of others 1 to 63 of {@code A-Z a-z 0-9 - . _ ~}
 * @param code its code in {@linkplain Puris#toCompact compact} pURIs: 1 to 8 of {@code a-z} and
 *     {@code 0-9}, starting with a letter
 * @param collections in the order they were declared; their names, aliases and codes are different,
 *     letter case aside
 */
public record NamespaceSpec(String name, Optional<String> code, List<CollectionSpec> collections) {
  public NamespaceSpec {
    CatalogName.checkForeign("namespace", name);
    code.ifPresent(CatalogName::checkCode);
    collections = List.copyOf(collections);
    Map<String, String> names = new HashMap<>();
    Map<String, String> codes = new HashMap<>();
    for (CollectionSpec collection : collections) {
      String owner = collection.name();
      claim("name", names, owner, owner);
      collection.aliases().forEach(alias -> claim("name", names, alias, owner));
      collection.code().ifPresent(taken -> claim("code", codes, taken, owner));
      if (collection.code().isPresent() && code.isEmpty()) {
        throw wrong(owner, "it has a code, its namespace " + Quoted.of(name) + " has none");
      }
    }
  }

  /**
   * Returns this after checking the names, which are stricter for our namespace than for others.
   *
   * @throws IllegalArgumentException if its name or that of a collection is malformed
   */
  public NamespaceSpec asOurs() {
    CatalogName.check("namespace", name);
    collections.forEach(CollectionSpec::asOurs);
    return this;
  }

  /** Returns the collection of that name or alias, in either letter case. */
  public Optional<CollectionSpec> collection(String name) {
    return collections.stream().filter(spec -> spec.isCalled(name)).findFirst();
  }

  private static void claim(
      String what, Map<String, String> owners, String name, String collection) {
    String owner = owners.putIfAbsent(AsciiCase.lower(name), collection);
    if (owner != null) {
      throw wrong(
          collection, "the " + what + " " + Quoted.of(name) + " is taken by " + Quoted.of(owner));
    }
  }

  private static IllegalArgumentException wrong(String collection, String why) {
    return new IllegalArgumentException("collection " + Quoted.of(collection) + ": " + why);
  }
}
