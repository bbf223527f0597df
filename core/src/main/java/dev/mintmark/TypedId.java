package dev.mintmark;

/**
 * An identifier of one collection, which the compiler keeps apart from those of all others.
 *
 * <p>Two are equal if their pURIs are. Immutable, and so safe in any number of threads.
 *
 * @param <T> what it names
 * @see TypedCollection
 */
public final class TypedId<T> {
  private final TypedCollection<T> collection;
  private final Puri puri;
  private final Stored stored;

  TypedId(TypedCollection<T> collection, Puri puri, Stored stored) {
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
  public Stored stored() {
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
  public String toString() {
    return puri.toString();
  }
}
