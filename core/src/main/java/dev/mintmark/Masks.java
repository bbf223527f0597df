package dev.mintmark;

import java.time.InstantSource;
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
 * <p>The masks of a collection whose {@link FaceChange} is declared read its old face too.
 *
 * <p>Keys are derived once, when it is made; the masks of one collection share them. Methods look
 * at classes by reflection: keep what they return.
 *
 * <p>Immutable and thread-safe.
 */
public final class Masks {
  private final Catalog catalog;
  private final InstantSource clock;
  private final OldFaceListener listener;

  /** By the present name of the collection. */
  private final Map<String, Mask<Long>> ofNumbers = new HashMap<>();

  /** By the present name of the collection. */
  private final Map<String, Mask<UUID>> ofUuids = new HashMap<>();

  /** Old masks, by the present name of the collection. */
  private final Map<String, Mask<Long>> ofOldNumbers = new HashMap<>();

  /** Old masks, by the present name of the collection. */
  private final Map<String, Mask<UUID>> ofOldUuids = new HashMap<>();

  private Masks(Catalog catalog, Keyring keyring, InstantSource clock, OldFaceListener listener) {
    this.catalog = catalog;
    this.clock = clock;
    this.listener = listener;
    for (CollectionSpec collection : catalog.collections()) {
      String name = collection.name();
      Optional<CollectionSpec.Face> old = collection.faceChange().flatMap(FaceChange::mask);
      if (collection.storage() == Kind.Storage.BIGINT) {
        collection.face().ifPresent(face -> ofNumbers.put(name, Mask.ofNumbers(keyring, face)));
        old.ifPresent(face -> ofOldNumbers.put(name, Mask.ofNumbers(keyring, face)));
      } else {
        collection.face().ifPresent(face -> ofUuids.put(name, Mask.ofUuids(keyring, face)));
        old.ifPresent(face -> ofOldUuids.put(name, Mask.ofUuids(keyring, face)));
      }
    }
  }

  /** Returns the masks of a catalog, with the keys of a keyring. */
  public static Masks of(Catalog catalog, Keyring keyring) {
    return new Masks(catalog, keyring, InstantSource.system(), OldFaceListener.NONE);
  }

  /**
   * Returns the masks of a catalog, with the keys of a keyring.
   *
   * @param clock what says whether the time of an old face has ended
   * @param listener is called for each old face that was read
   */
  public static Masks of(
      Catalog catalog, Keyring keyring, InstantSource clock, OldFaceListener listener) {
    return new Masks(catalog, keyring, clock, listener);
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
      Mask<T> numbers = (Mask<T>) numbers(javaType, collection);
      return numbers;
    }
    if (javaType == UUID.class) {
      @SuppressWarnings("unchecked") // Its class is the one that was asked for.
      Mask<T> uuids = (Mask<T>) uuids(javaType, collection);
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
        ? changing(
            Mask.ofNumbers(type, base(ofNumbers, type.javaType(), collection)),
            collection,
            OldFace.Texts.of(type::format, type::parse),
            OldFace.Texts.of(
                id -> type.toStored(id).toString(),
                text -> type.fromStored(new ColumnValue.Bigint(OldFace.number(text)))),
            Optional.ofNullable(ofOldNumbers.get(collection.name()))
                .map(mask -> Mask.ofNumbers(type, mask)))
        : changing(
            Mask.ofUuids(type, base(ofUuids, type.javaType(), collection)),
            collection,
            OldFace.Texts.of(type::format, type::parse),
            OldFace.Texts.of(type::format, type::parse),
            Optional.ofNullable(ofOldUuids.get(collection.name()))
                .map(mask -> Mask.ofUuids(type, mask)));
  }

  private Mask<Long> numbers(Class<?> javaType, CollectionSpec collection) {
    OldFace.Texts<Long> digits = OldFace.Texts.of(String::valueOf, OldFace::number);
    return changing(
        base(ofNumbers, javaType, collection),
        collection,
        digits,
        digits,
        Optional.ofNullable(ofOldNumbers.get(collection.name())));
  }

  private Mask<UUID> uuids(Class<?> javaType, CollectionSpec collection) {
    OldFace.Texts<UUID> texts = OldFace.Texts.of(UUID::toString, Uuids::parse);
    return changing(
        base(ofUuids, javaType, collection),
        collection,
        texts,
        texts,
        Optional.ofNullable(ofOldUuids.get(collection.name())));
  }

  private <T> Mask<T> changing(
      Mask<T> mask,
      CollectionSpec collection,
      OldFace.Texts<T> text,
      OldFace.Texts<T> number,
      Optional<Mask<T>> oldMask) {
    if (collection.faceChange().isEmpty()) {
      return mask;
    }
    OldFace.Texts<T> texts =
        switch (collection.faceChange().get().old()) {
          case TEXT -> text;
          case NUMBER -> number;
          case MASK -> {
            Mask<T> before = oldMask.orElseThrow();
            yield new OldFace.Texts<>(before::show, before::tryOpen);
          }
        };
    return mask.changedFrom(new OldFace<>(texts, collection, clock, listener));
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
