package dev.mintmark.hibernate;

import dev.mintmark.ColumnValue;
import dev.mintmark.Kind;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.util.Optional;

/**
 * A reference to a row of any collection that is stored as {@code bigint}: two columns, the type in
 * {@code text} and the identifier in {@code bigint}.
 *
 * <pre>{@code
 * @Embedded NumberReference subject;   // ref_type shop:payments, ref_id 123
 * }</pre>
 *
 * <p>A type that the catalog does not have is loaded, compared and stored unchanged. There is no
 * foreign key: one column refers to several tables.
 *
 * <p>Immutable and thread-safe.
 *
 * @param refType the namespace and the collection, with a colon between them
 * @param refId what the column of the collection holds
 * @see UuidReference
 */
@Embeddable
public record NumberReference(
    @Column(name = "ref_type", length = ReferenceType.LENGTH) String refType,
    @Column(name = "ref_id") long refId) {
  /**
   * Returns the reference of a pURI, under the present name of its collection.
   *
   * @throws dev.mintmark.MalformedIdException if its collection cannot read the identifier
   * @throws IllegalArgumentException if its collection is not declared, or is not stored as bigint
   */
  public static NumberReference of(Puris puris, Puri puri) {
    ColumnValue stored = ReferenceType.stored(puris, puri, Kind.Storage.BIGINT);
    return new NumberReference(
        ReferenceType.of(puris, puri), ((ColumnValue.Bigint) stored).value());
  }

  /**
   * Returns the pURI; empty if the catalog does not have the type.
   *
   * @throws IllegalArgumentException if the collection is not stored as bigint
   */
  public Optional<Puri> puri(Puris puris) {
    return ReferenceType.puri(puris, refType, new ColumnValue.Bigint(refId));
  }
}
