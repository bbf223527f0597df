package dev.mintmark.hibernate;

import dev.mintmark.ColumnValue;
import dev.mintmark.Kind;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.util.Optional;
import java.util.UUID;

/**
 * A reference to a row of any collection that is stored as {@code uuid}: two columns, the type in
 * {@code text} and the identifier in {@code uuid}.
 *
 * <pre>{@code
 * @Embedded UuidReference subject;   // ref_type soundcloud:users, ref_id 017fe093-7adf-...
 * }</pre>
 *
 * <p>A type that the catalog does not have is loaded, compared and stored unchanged. There is no
 * foreign key: one column refers to several tables.
 *
 * <p>Immutable and thread-safe.
 *
 * @param refType the namespace and the collection, with a colon between them
 * @param refId what the column of the collection holds
 * @see NumberReference
 */
@Embeddable
public record UuidReference(
    @Column(name = "ref_type", length = ReferenceType.LENGTH) String refType,
    @Column(name = "ref_id") UUID refId) {
  /**
   * Returns the reference of a pURI, under the present name of its collection.
   *
   * @throws dev.mintmark.MalformedIdException if its collection cannot read the identifier
   * @throws IllegalArgumentException if its collection is not declared, or is not stored as uuid
   */
  public static UuidReference of(Puris puris, Puri puri) {
    ColumnValue stored = ReferenceType.stored(puris, puri, Kind.Storage.UUID);
    return new UuidReference(ReferenceType.of(puris, puri), ((ColumnValue.Uuid) stored).value());
  }

  /**
   * Returns the pURI; empty if the catalog does not have the type.
   *
   * @throws IllegalArgumentException if the collection is not stored as uuid
   */
  public Optional<Puri> puri(Puris puris) {
    return ReferenceType.puri(puris, refType, new ColumnValue.Uuid(refId));
  }
}
