package dev.mintmark;

/**
 * A reference to a row of any collection (a polymorphic reference), as its columns hold it: the
 * code of the type and the id, in at most 18 bytes.
 *
 * <pre>
 *   code   id        refers to
 *   &gt; 0    Uuid      a row of a collection that is stored as uuid
 *   &lt; 0    Bigint    a row of a collection that is stored as bigint
 *   0      Text      a row of any other collection, by its whole pURI; the column of the code is null
 * </pre>
 *
 * <p>{@link ReferenceTypes} converts it from and to pURIs. Two references are equal if they refer
 * to the same row and were made with the same codes.
 *
 * <p>Immutable and thread-safe.
 *
 * @param code the code of the type in {@code mintmark.reference_type}; 0 if it has none
 * @param id the value in the column of the collection, or the pURI
 */
public record PuriReference(short code, ColumnValue id) {
  /**
   * Checks that the code and the id fit.
   *
   * @throws IllegalArgumentException if a code above 0 has no uuid, one below 0 no bigint, or 0 no
   *     text
   */
  public PuriReference {
    Kind.Storage expected = storage(code);
    if (id.storage() != expected) {
      throw new IllegalArgumentException(
          "reference type %s has an id of %s: expected %s"
              .formatted(code, id.storage().label(), expected.label()));
    }
  }

  /** Returns the type of the id of a code. */
  static Kind.Storage storage(short code) {
    if (code == 0) {
      return Kind.Storage.TEXT;
    }
    return code > 0 ? Kind.Storage.UUID : Kind.Storage.BIGINT;
  }
}
