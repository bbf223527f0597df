package dev.mintmark;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The masks of a catalog: of each collection of its own namespace that has a {@link
 * CollectionSpec.Face}. An adapter asks for the mask of a class or of a property.
 *
 * <pre>{@code
 * Masks masks = Masks.of(catalog, keyring);
 * Optional<Mask<PaymentId>> byClass = masks.find(PaymentId.class);   // by @InCollection
 * Mask<Long> byProperty = masks.of(long.class, "payments");          // by @Face("payments")
 * }</pre>
 *
 * <p>Keys are derived once, when it is made; the masks of one collection share them. Methods look
 * at classes by reflection: keep what they return.
 *
 * <p>Immutable and thread-safe.
 */
public final class Masks {
  private final Catalog catalog;

  /** By the present name of the collection. */
  private final Map<String, Mask<Long>> ofNumbers = new HashMap<>();

  /** By the present name of the collection. */
  private final Map<String, Mask<UUID>> ofUuids = new HashMap<>();

  private Masks(Catalog catalog, Keyring keyring) {
    this.catalog = catalog;
    for (CollectionSpec collection : catalog.collections()) {
      collection
          .face()
          .ifPresent(
              face -> {
                if (collection.storage() == Kind.Storage.BIGINT) {
                  ofNumbers.put(collection.name(), Mask.ofNumbers(keyring, face));
                } else {
                  ofUuids.put(collection.name(), Mask.ofUuids(keyring, face));
                }
              });
    }
  }

  /** Returns the masks of a catalog, with the keys of a keyring. */
  public static Masks of(Catalog catalog, Keyring keyring) {
    return new Masks(catalog, keyring);
  }

  /**
   * Returns the mask of a class that is annotated with {@link InCollection}: empty if it is not, or
   * if its collection has no face. The type of the class is the one that {@link IdTypes} declare
   * for it; without a declaration, {@link Catalog#idType}.
   *
   * @throws IllegalArgumentException if the catalog does not have the collection, or if the class
   *     is not one of its identifiers
   */
  public <T> Optional<Mask<T>> find(Class<T> javaType) {
    return Optional.ofNullable(javaType.getAnnotation(InCollection.class))
        .map(annotation -> catalog.declared(annotation.value()))
        .filter(collection -> collection.face().isPresent())
        .map(collection -> mask(javaType, collection));
  }

  /**
   * Returns the mask of a class in a collection: of {@code long} and {@link Long} if the collection
   * stores bigint, of {@link UUID} if it stores uuid, of the class that {@link
   * IdType#of(CollectionSpec)} has, of a class that {@link IdTypes} declare with the same kind, or
   * of a record as {@link IdType#wrapping} requires it.
   *
   * @param javaType the class of a property or parameter
   * @param collection its name, or an alias, in either letter case
   * @throws IllegalArgumentException if the catalog does not have the collection, if it has no
   *     face, or if the class is none of these
   */
  public <T> Mask<T> of(Class<T> javaType, String collection) {
    return mask(javaType, catalog.declared(collection));
  }

  /**
   * Returns the mask of a type in a collection.
   *
   * @param collection its name, or an alias, in either letter case
   * @throws IllegalArgumentException if the catalog does not have the collection, if it has no
   *     face, or if it has another kind or storage than the type
   */
  public <T> Mask<T> of(IdType<T> type, String collection) {
    return mask(type, catalog.declared(collection));
  }

  /**
   * Returns the mask of a type in a collection; empty if the collection has no face.
   *
   * @param collection its name, or an alias, in either letter case
   * @throws IllegalArgumentException if the catalog does not have the collection, or if it has
   *     another kind or storage than the type
   */
  public <T> Optional<Mask<T>> find(IdType<T> type, String collection) {
    return Optional.of(catalog.declared(collection))
        .filter(each -> each.face().isPresent())
        .map(each -> mask(type, each));
  }

  private <T> Mask<T> mask(Class<T> javaType, CollectionSpec collection) {
    if (javaType == Long.class || javaType == long.class) {
      @SuppressWarnings("unchecked") // Both are classes of Long.
      Mask<T> numbers = (Mask<T>) base(ofNumbers, javaType, collection);
      return numbers;
    }
    if (javaType == UUID.class) {
      @SuppressWarnings("unchecked") // Its class is the one that was asked for.
      Mask<T> uuids = (Mask<T>) base(ofUuids, javaType, collection);
      return uuids;
    }
    return mask(type(javaType, collection), collection);
  }

  private <T> Mask<T> mask(IdType<T> type, CollectionSpec collection) {
    if (type.kind() != collection.kind() || type.storage() != collection.storage()) {
      throw new IllegalArgumentException(
          "%s is not of collection %s: it is %s in %s, the collection is %s in %s"
              .formatted(
                  type.javaType().getName(),
                  Quoted.of(collection.name()),
                  type.kind().label(),
                  type.storage().label(),
                  collection.kind().label(),
                  collection.storage().label()));
    }
    return type.storage() == Kind.Storage.BIGINT
        ? Mask.ofNumbers(type, base(ofNumbers, type.javaType(), collection))
        : Mask.ofUuids(type, base(ofUuids, type.javaType(), collection));
  }

  private static <T> IdType<T> type(Class<T> javaType, CollectionSpec collection) {
    IdType<?> own = IdType.of(collection);
    if (own.javaType() == javaType) {
      @SuppressWarnings("unchecked") // Its class is the one that was asked for.
      IdType<T> type = (IdType<T>) own;
      return type;
    }
    return IdTypes.find(javaType).orElseGet(() -> IdType.wrapping(javaType, collection));
  }

  private static <B> Mask<B> base(
      Map<String, Mask<B>> masks, Class<?> javaType, CollectionSpec collection) {
    Mask<B> mask = masks.get(collection.name());
    if (mask == null) {
      throw new IllegalArgumentException(
          collection.face().isEmpty()
              ? "collection %s has no face: declare one".formatted(Quoted.of(collection.name()))
              : "collection %s is kept as %s, which no %s is"
                  .formatted(
                      Quoted.of(collection.name()),
                      collection.storage().label(),
                      javaType.getName()));
    }
    return mask;
  }
}
