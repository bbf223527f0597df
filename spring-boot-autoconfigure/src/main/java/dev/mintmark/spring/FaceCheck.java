package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Masks;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Fails the start of a web application whose catalog declares faces without the keyring that makes
 * them: else the first request would show plain identifiers, or fail.
 */
final class FaceCheck implements SmartInitializingSingleton {
  private final Catalog catalog;
  private final ObjectProvider<Masks> masks;

  FaceCheck(Catalog catalog, ObjectProvider<Masks> masks) {
    this.catalog = catalog;
    this.masks = masks;
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<String> collections = collectionsWithFace(catalog);
    if (!collections.isEmpty() && masks.getIfAvailable() == null) {
      throw new StartFailure(
          "The catalog declares a face of %s, and there is no keyring to make faces."
              .formatted(String.join(", ", collections)),
          "Set mintmark.secret or mintmark.secret-file to NAME:SECRET, such as a: and the output of"
              + " 'openssl rand -base64 32', or set mintmark.web.faces=false.");
    }
  }

  /** Returns the names of the collections that have a face. */
  static List<String> collectionsWithFace(Catalog catalog) {
    return catalog.collections().stream()
        .filter(collection -> collection.face().isPresent())
        .map(CollectionSpec::name)
        .toList();
  }
}
