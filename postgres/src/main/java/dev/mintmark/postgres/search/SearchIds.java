package dev.mintmark.postgres.search;

import dev.mintmark.CollectionSpec;
import dev.mintmark.ColumnValue;
import dev.mintmark.FaceChange;
import dev.mintmark.IdType;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Mask;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.Quoted;
import dev.mintmark.TypedCollection;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The identifiers that a column holds, and the texts by which they are found:
 *
 * <pre>
 *   the column holds    found by
 *   uuid                ULID, UUID with or without hyphens: as {@link Ulid#parseLoosely} and
 *                       {@link Uuids#parseLoosely} read them; TypeID of its prefix
 *   bigint              the number, after its prefix or without, with any zeros: PM000123, pm123, 123
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
  public static final SearchIds UUIDS = of(IdType.uuidsV7());

  private final IdType<?> type;

  /** Declares the face; empty if only the type is known. */
  private final Optional<CollectionSpec> collection;

  private final boolean plain;
  private final List<Function<String, Optional<ColumnValue>>> readers;

  private SearchIds(
      IdType<?> type,
      Optional<CollectionSpec> collection,
      boolean plain,
      List<Function<String, Optional<ColumnValue>>> readers) {
    this.type = type;
    this.collection = collection;
    this.plain = plain;
    this.readers = readers;
  }

  /** The identifiers of a type, in the texts that {@link IdType#parseLoosely} reads. */
  public static SearchIds of(IdType<?> type) {
    return new SearchIds(type, Optional.empty(), true, List.of(loose(type)));
  }

  /** The identifiers of a collection, in the texts of its kind. */
  public static SearchIds of(CollectionSpec collection) {
    IdType<?> type = IdType.of(collection);
    return new SearchIds(type, Optional.of(collection), true, List.of(loose(type)));
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
    IdType<?> type = IdType.of(spec);
    return new SearchIds(
        type, Optional.of(spec), true, List.of(loose(type), loose(typed.idType())));
  }

  /**
   * The identifiers of a collection by their masked faces alone: for a search box of those from
   * whom the masks hide something, who could try neighbours otherwise.
   *
   * @throws IllegalArgumentException if the collection declares no face
   */
  public static SearchIds ofFaces(CollectionSpec collection, Keyring keyring) {
    return new SearchIds(
        IdType.of(collection), Optional.of(collection), false, List.of(faces(collection, keyring)));
  }

  /**
   * Returns the same, found by their masked faces as well.
   *
   * @throws IllegalArgumentException if the collection declares no face, or there is no collection
   */
  public SearchIds withFaces(Keyring keyring) {
    CollectionSpec declared =
        collection.orElseThrow(
            () -> new IllegalArgumentException("a type declares no face: name the collection"));
    return new SearchIds(
        type,
        collection,
        plain,
        Stream.concat(readers.stream(), Stream.of(faces(declared, keyring))).toList());
  }

  /** What the column holds of the identifiers that the term can be read as: mostly one or none. */
  Set<Object> read(String term) {
    Set<Object> values = new LinkedHashSet<>();
    for (Function<String, Optional<ColumnValue>> reader : readers) {
      reader.apply(term).map(ColumnValue::toObject).ifPresent(values::add);
    }
    return values;
  }

  /**
   * The ranges of the identifiers that the term begins: UUIDs as a ULID and in hexadecimal digits,
   * numbers after the prefix or without.
   */
  List<BeginningRange> beginningWith(String term) {
    if (!hasBeginnings()) {
      return List.of();
    }
    if (type.storage() == Kind.Storage.BIGINT) {
      return List.copyOf(SequenceRange.ofDigits(withoutType(term), width(type)));
    }
    return Stream.of(UuidRange.ofUlids(withoutType(term)), UuidRange.ofHex(term))
        .<BeginningRange>flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  /** The digits of the number 1, which is padded as every number. */
  private static <T> int width(IdType<T> type) {
    return type.format(type.fromStored(new ColumnValue.Bigint(1))).length()
        - type.textPrefix().length();
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
                  type.storage().label(),
                  hasBeginnings() ? " or '^'" : ""));
    }
  }

  Kind.Storage storage() {
    return type.storage();
  }

  /** Whether what begins alike is a range of the column. */
  boolean hasBeginnings() {
    return plain
        && (type.storage() == Kind.Storage.UUID
            || (type.storage() == Kind.Storage.BIGINT && type.kind().has(Kind.Option.WIDTH)));
  }

  /** The term without the prefix of a TypeID or of a sequence. */
  private String withoutType(String term) {
    String before = type.textPrefix();
    return term.regionMatches(true, 0, before, 0, before.length())
        ? term.substring(before.length())
        : term;
  }

  private static <T> Function<String, Optional<ColumnValue>> loose(IdType<T> type) {
    return term -> stored(type, type.tryParseLoosely(term));
  }

  /** What the column holds of an identifier; empty if PostgreSQL cannot store it. */
  private static <T> Optional<ColumnValue> stored(IdType<T> type, Optional<T> id) {
    try {
      return id.map(type::toStored);
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
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
    IdType<?> type = IdType.of(collection);
    Function<String, Optional<ColumnValue>> present = faces(type, keyring, face);
    return collection
        .faceChange()
        .flatMap(FaceChange::mask)
        .map(old -> either(present, faces(type, keyring, old)))
        .orElse(present);
  }

  /** People search for what they have noted, also after the end of the old face. */
  private static Function<String, Optional<ColumnValue>> either(
      Function<String, Optional<ColumnValue>> first,
      Function<String, Optional<ColumnValue>> second) {
    return term -> first.apply(term).or(() -> second.apply(term));
  }

  private static <T> Function<String, Optional<ColumnValue>> faces(
      IdType<T> type, Keyring keyring, CollectionSpec.Face face) {
    Mask<T> mask = Mask.of(type, keyring, face);
    return term -> mask.tryOpen(term).map(type::toStored);
  }
}
