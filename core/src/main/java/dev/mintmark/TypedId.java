package dev.mintmark;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * An identifier of one collection, which the compiler keeps apart from those of all others.
 *
 * <p>Two are equal if their pURIs are. Immutable, and so safe in any number of threads.
 *
 * <p><b>It holds its collection</b>, and so the catalog. So it is not {@link java.io.Serializable},
 * there is no {@code valueOf(String)}, and Jackson writes one but does not read one. Send {@link
 * #puri} or its text, and read that with {@link TypedCollection#from(Puri)} or {@link
 * TypedCollection#parse}, or let an {@code IdType} do so.
 *
 * @param <T> what it names
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

  /** The collection that it is of. */
  public TypedCollection<T> collection() {
    return collection;
  }

  /** The pURI, as {@link Puris#resolve} makes it. */
  public Puri puri() {
    return puri;
  }

  /** What the column of the collection holds. */
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
