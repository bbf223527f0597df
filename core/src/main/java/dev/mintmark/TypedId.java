package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * An identifier of one collection, with a type of its own for the compiler.
 *
 * <p>Two are equal if their pURIs are equal. Immutable and thread-safe.
 *
 * <p><b>It references its collection</b> and the catalog. Therefore it is not {@link
 * java.io.Serializable}, there is no {@code valueOf(String)}, and Jackson writes it but does not
 * read it. Send {@link #puri} or its text, and read that with {@link TypedCollection#from(Puri)},
 * {@link TypedCollection#parse} or an {@code IdType}.
 *
 * @param <T> the type of the named objects
 * @see TypedCollection
 */
public final class TypedId<T> {
  private final TypedCollection<T> collection;
  private final Puri puri;
  private final ColumnValue stored;

  TypedId(TypedCollection<T> collection, Puri puri, ColumnValue stored) {
    this.collection = collection;
    this.puri = puri;
    this.stored = stored;
  }

  /** Its collection. */
  public TypedCollection<T> collection() {
    return collection;
  }

  /** The pURI, as {@link Puris#resolve} makes it. */
  public Puri puri() {
    return puri;
  }

  /** The value in the column of the collection. */
  public ColumnValue stored() {
    return stored;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof TypedId<?> id && id.puri.equals(puri);
  }

  @Override
  public int hashCode() {
    return puri.hashCode();
  }

  /** The text of the pURI. */
  @Override
  @JsonValue
  public String toString() {
    return puri.toString();
  }
}
