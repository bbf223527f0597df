package dev.mintmark;

import java.util.Optional;

/**
 * A collection of the catalog as a type: its identifiers are {@code TypedId<T>}, so the compiler
 * rejects an identifier of another collection.
 *
 * <p>Immutable and thread-safe. Make one for each collection and keep it.
 *
 * <pre>{@code
 * TypedCollection<Meat> meats = puris.typed("meats", Meat.class);
 * TypedId<Meat> id = meats.parse("bobsburgers:meats:01FZG96YPZK4SANAG1ZM5T2K9Z");
 * meats.parse("bobsburgers:payments:PM000123");   // MalformedIdException
 * }</pre>
 *
 * @param <T> the type of the named objects
 * @see Puris#typed
 */
public final class TypedCollection<T> {
  private final Puris puris;
  private final String namespace;
  private final String collection;
  private final Class<T> type;

  TypedCollection(Puris puris, String namespace, String collection, Class<T> type) {
    this.puris = puris;
    this.namespace = namespace;
    this.collection = collection;
    this.type = type;
  }

  /** The type of the named objects. */
  public Class<T> type() {
    return type;
  }

  /** The type of its column values. */
  public Kind.Storage storage() {
    return spec().storage();
  }

  /** The type of its identifiers, whose text is the pURI. */
  public IdType<TypedId<T>> idType() {
    @SuppressWarnings("unchecked") // A class has no arguments of types.
    Class<TypedId<T>> javaType = (Class<TypedId<T>>) (Class<?>) TypedId.class;
    return new PuriType<>(
        "id of " + Quoted.of(toString()),
        IdType.of(spec()),
        false,
        javaType,
        this::parse,
        TypedId::toString,
        TypedId::stored,
        this::from);
  }

  /** The type of its pURIs. Those of another collection are refused. */
  public IdType<Puri> puriType() {
    return new PuriType<>(
        "pURI of " + Quoted.of(toString()),
        IdType.of(spec()),
        false,
        Puri.class,
        text -> parse(text).puri(),
        puri -> from(puri).toString(),
        puri -> from(puri).stored(),
        stored -> from(stored).puri());
  }

  private CollectionSpec spec() {
    return puris.collection(Puri.of(namespace, collection, "-")).orElseThrow();
  }

  /**
   * Reads a pURI of this collection, compact or not, also with an earlier name of the collection.
   *
   * @throws MalformedIdException if it is malformed, of another collection, or cannot be stored in
   *     the column of its collection; the version of 128 bits is not checked
   */
  public TypedId<T> parse(String text) {
    return from(puris.parse(text));
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public Optional<TypedId<T>> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  /**
   * Converts a pURI of this collection.
   *
   * @throws MalformedIdException if it is of another collection, or cannot be stored in the column
   *     of its collection; the version of 128 bits is not checked
   */
  public TypedId<T> from(Puri puri) {
    Puri resolved = puris.resolve(puri);
    if (!resolved.names().equals(AsciiCase.lower(toString()))) {
      throw Malformed.because(
          "pURI",
          puri.toString(),
          "it is one of "
              + Quoted.of(resolved.names())
              + ": expected one of "
              + Quoted.of(toString()));
    }
    return new TypedId<>(this, resolved, puris.toStored(resolved));
  }

  /**
   * Converts a value of the column of this collection.
   *
   * @throws MalformedIdException as {@link Puris#fromStored} throws it
   * @throws IllegalArgumentException if the value has another type than the column
   */
  public TypedId<T> from(ColumnValue stored) {
    return from(puris.fromStored(namespace, collection, stored));
  }

  /** The namespace and the name of the collection: {@code bobsburgers:meats}. */
  @Override
  public String toString() {
    return namespace + ":" + collection;
  }
}
