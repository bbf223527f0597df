package dev.mintmark.postgres.search;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.ColumnValue;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Mask;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.Quoted;
import dev.mintmark.SequenceId;
import dev.mintmark.TypedCollection;
import dev.mintmark.TypedId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The identifiers that a column holds, and the texts by which they are found:
 *
 * <pre>
 *   the column holds    found by
 *   uuid                ULID, UUID with or without hyphens: as {@link Ulid#parseLoosely} and
 *                       {@link Uuids#parseLoosely} read them; TypeID of its prefix
 *   bigint              the number, behind its prefix or not, with any zeros: PM000123, pm123, 123
 *   text                what {@link Puris} reads as the canonical text, and what is found in a uuid
 *                       or bigint of that kind: a row that holds another text is not found
 *
 *   any of them         a pURI, compact or not, {@linkplain #of(Puris, String, String) with a catalog}
 *   uuid, bigint        a masked face, {@linkplain #withFaces with a keyring}
 * </pre>
 *
 * <p>All in either letter case, unless the kind is sensitive to it. What cannot be read is no
 * identifier of the column, and finds nothing there; it is not an error.
 *
 * <p>Immutable, and so safe in any number of threads. Make one for a column and keep it.
 */
public final class SearchIds {
  /** Those of a {@code uuid} column of which nothing else is declared. */
  public static final SearchIds UUIDS = of(CollectionSpec.builder("uuids", Kind.UUIDV7).build());

  private static final SequenceId.Format PLAIN_NUMBER = new SequenceId.Format("", 0);

  /** Where a collection is put that is declared in no catalog. */
  private static final String NO_NAMESPACE = "none";

  private final CollectionSpec collection;
  private final boolean plain;
  private final List<Function<String, Optional<ColumnValue>>> readers;

  private SearchIds(
      CollectionSpec collection,
      boolean plain,
      List<Function<String, Optional<ColumnValue>>> readers) {
    this.collection = collection;
    this.plain = plain;
    this.readers = readers;
  }

  /** The identifiers of a collection, in the texts of its kind. */
  public static SearchIds of(CollectionSpec collection) {
    NamespaceSpec none = new NamespaceSpec(NO_NAMESPACE, Optional.of("n"), List.of(collection));
    Puris puris =
        Puris.of(
            new Catalog(
                new NamespaceSpec("own", Optional.empty(), List.of()), List.of(none), List.of()));
    Function<String, Optional<ColumnValue>> kind = kind(puris, NO_NAMESPACE, collection);
    return new SearchIds(collection, true, List.of(loose(collection, kind), kind));
  }

  /**
   * The identifiers of a collection of a catalog, in the texts of its kind and as pURIs.
   *
   * @param namespace of the catalog, ours or another, in either letter case
   * @param collection its present name, or an alias, in either letter case
   * @throws IllegalArgumentException if the catalog has no such collection
   */
  public static SearchIds of(Puris puris, String namespace, String collection) {
    TypedCollection<Object> typed = puris.typed(namespace, collection, Object.class);
    CollectionSpec spec = puris.collection(Puri.of(namespace, collection, "-")).orElseThrow();
    Function<String, Optional<ColumnValue>> kind = kind(puris, namespace, spec);
    return new SearchIds(
        spec,
        true,
        List.of(loose(spec, kind), kind, term -> typed.tryParse(term).map(TypedId::stored)));
  }

  /**
   * The identifiers of a collection by their masked faces alone: for a search box of those from
   * whom the masks hide something, who could try neighbours otherwise.
   *
   * @throws IllegalArgumentException if the collection declares no face
   */
  public static SearchIds ofFaces(CollectionSpec collection, Keyring keyring) {
    return new SearchIds(collection, false, List.of(faces(collection, keyring)));
  }

  /**
   * Returns the same, found by their masked faces as well.
   *
   * @throws IllegalArgumentException if the collection declares no face
   */
  public SearchIds withFaces(Keyring keyring) {
    return new SearchIds(
        collection,
        plain,
        Stream.concat(readers.stream(), Stream.of(faces(collection, keyring))).toList());
  }

  /** What the column holds of the identifiers that the term can be read as: mostly one or none. */
  Set<Object> read(String term) {
    Set<Object> values = new LinkedHashSet<>();
    for (Function<String, Optional<ColumnValue>> reader : readers) {
      reader.apply(term).map(ColumnValue::toObject).ifPresent(values::add);
    }
    return values;
  }

  /** The ranges of the UUIDs that the term begins, as a ULID and in hexadecimal digits. */
  List<UuidRange> beginningWith(String term) {
    if (!hasBeginnings()) {
      return List.of();
    }
    return Stream.of(UuidRange.ofUlids(withoutType(term)), UuidRange.ofHex(term))
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  /**
   * Refuses a column that cannot be looked up so.
   *
   * @throws IllegalArgumentException if it cannot
   */
  void checkLookup(Lookup lookup, String declaration) {
    boolean fits = lookup == Lookup.IDENTIFIER || (lookup == Lookup.STARTS_WITH && hasBeginnings());
    if (!fits) {
      throw new IllegalArgumentException(
          "column %s of identifiers kept as %s: expected the lookup '#'%s"
              .formatted(
                  Quoted.of(declaration),
                  collection.storage().label(),
                  hasBeginnings() ? " or '^'" : ""));
    }
  }

  Kind.Storage storage() {
    return collection.storage();
  }

  /** Whether what begins alike is a range of the column. */
  boolean hasBeginnings() {
    return plain && collection.storage() == Kind.Storage.UUID;
  }

  /** The term without the prefix of a TypeID of this collection. */
  private String withoutType(String term) {
    String type = collection.kind() == Kind.TYPEID ? collection.prefix().orElse("") + "_" : "";
    return term.regionMatches(true, 0, type, 0, type.length())
        ? term.substring(type.length())
        : term;
  }

  /** Reads what people type for any identifier of that storage; as text, of that kind. */
  private static Function<String, Optional<ColumnValue>> loose(
      CollectionSpec collection, Function<String, Optional<ColumnValue>> kind) {
    return switch (collection.storage()) {
      case UUID -> term -> uuid(term).map(ColumnValue.Uuid::new);
      case BIGINT -> term -> number(term).map(ColumnValue.Bigint::new);
      case TEXT ->
          switch (collection.kind()) {
            case ULID, UUIDV7, UUIDV4, TYPEID ->
                term -> uuid(term).map(UUID::toString).flatMap(kind);
            case SEQUENCE ->
                term ->
                    number(term)
                        .map(number -> collection.prefix().orElse("") + number)
                        .flatMap(kind);
            case NANOID, SNOWFLAKE, TEXT -> term -> Optional.empty();
          };
    };
  }

  private static Optional<UUID> uuid(String term) {
    return tried(() -> Ulid.parseLoosely(term).toUuid())
        .or(() -> tried(() -> Uuids.parseLoosely(term)));
  }

  private static Optional<Long> number(String term) {
    return tried(() -> PLAIN_NUMBER.parseLoosely(term).number());
  }

  /** Reads the texts of the kind. */
  private static Function<String, Optional<ColumnValue>> kind(
      Puris puris, String namespace, CollectionSpec collection) {
    return term -> tried(() -> puris.toStored(Puri.of(namespace, collection.name(), term)));
  }

  private static Function<String, Optional<ColumnValue>> faces(
      CollectionSpec collection, Keyring keyring) {
    CollectionSpec.Face face =
        collection
            .face()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "collection " + Quoted.of(collection.name()) + " declares no face"));
    if (collection.storage() == Kind.Storage.BIGINT) {
      Mask<Long> mask = Mask.ofNumbers(keyring, face);
      return term -> mask.tryOpen(term).map(ColumnValue.Bigint::new);
    }
    Mask<UUID> mask = Mask.ofUuids(keyring, face);
    return term -> mask.tryOpen(term).map(ColumnValue.Uuid::new);
  }

  private interface Reader<T> {
    T read() throws MalformedIdException;
  }

  private static <T> Optional<T> tried(Reader<T> reader) {
    try {
      return Optional.of(reader.read());
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }
}
