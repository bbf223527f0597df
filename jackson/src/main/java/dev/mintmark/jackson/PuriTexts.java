package dev.mintmark.jackson;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.IdType;
import dev.mintmark.InCollection;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.TypedCollection;

/** The pURIs of properties that are annotated with {@link InCollection}. */
final class PuriTexts {
  private final String namespace;
  private final Puris puris;
  private final boolean isCompact;

  PuriTexts(Catalog catalog, boolean isCompact) {
    this.namespace = catalog.namespace();
    this.puris = Puris.of(catalog);
    this.isCompact = isCompact;
  }

  /** The text of pURIs of any type, compact or not. */
  IdText<Puri> any() {
    return new IdText<>("pURI", Puri.class, Puri::toString, puris::parse);
  }

  /** Whether a text is a compact pURI whose codes the catalog does not have. */
  boolean hasUnknownCodes(String text) {
    return puris.hasUnknownCodes(text);
  }

  /**
   * Returns the collection that an annotation names, with its namespace or without it.
   *
   * @throws IllegalArgumentException if the catalog does not have it
   */
  TypedCollection<Puri> collection(InCollection annotation) {
    String name = annotation.value();
    int colon = name.indexOf(':');
    return colon < 0
        ? puris.typed(namespace, name, Puri.class)
        : puris.typed(name.substring(0, colon), name.substring(colon + 1), Puri.class);
  }

  /**
   * Returns the text of a property.
   *
   * @throws IllegalArgumentException if objects of the class cannot be identifiers of the
   *     collection, or if the catalog does not have it
   */
  IdText<?> of(Class<?> javaType, InCollection annotation) {
    TypedCollection<Puri> collection = collection(annotation);
    if (javaType == Puri.class) {
      return new IdText<>(
          collection.puriType().name(),
          Puri.class,
          puri -> written(collection.from(puri).puri()),
          text -> collection.parse(text).puri());
    }
    CollectionSpec spec = puris.collection(Puri.parse(collection + ":-")).orElseThrow();
    IdType<?> own = IdType.of(spec);
    return own.javaType() == javaType
        ? text(collection, own)
        : text(collection, IdType.wrapping(javaType, spec));
  }

  private <T> IdText<T> text(TypedCollection<Puri> collection, IdType<T> ids) {
    return new IdText<>(
        collection.puriType().name(),
        ids.javaType(),
        id -> written(collection.from(ids.toStored(id)).puri()),
        text -> ids.fromStored(collection.parse(text).stored()));
  }

  private String written(Puri puri) {
    return isCompact ? puris.toCompact(puri) : puri.toString();
  }
}
