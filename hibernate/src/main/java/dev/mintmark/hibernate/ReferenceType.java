package dev.mintmark.hibernate;

import dev.mintmark.ColumnValue;
import dev.mintmark.Kind;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import java.util.Optional;

/** The type of a reference as a column holds it: namespace and collection. */
final class ReferenceType {
  /** More than any varchar: the dialect then declares the column as {@code text}. */
  static final int LENGTH = Integer.MAX_VALUE;

  private ReferenceType() {}

  /** Returns the type of a pURI: the present name of its collection. */
  static String of(Puris puris, Puri puri) {
    Puri resolved = puris.resolve(puri);
    return resolved.namespace() + ":" + resolved.collection();
  }

  /**
   * Returns the value that the column of its collection holds.
   *
   * @throws IllegalArgumentException if its collection is not declared or has another storage
   */
  static ColumnValue stored(Puris puris, Puri puri, Kind.Storage storage) {
    if (puris.collection(puri).isEmpty()) {
      throw new IllegalArgumentException(
          "pURI %s: its collection is not in the catalog: store it as a Puri".formatted(puri));
    }
    ColumnValue stored = puris.toStored(puri);
    if (stored.storage() != storage) {
      throw new IllegalArgumentException(
          "pURI %s: its collection is stored as %s: expected %s"
              .formatted(puri, stored.storage().label(), storage.label()));
    }
    return stored;
  }

  /**
   * Returns the pURI of a reference; empty if the catalog does not have the type.
   *
   * @throws IllegalArgumentException if the collection is stored as another type
   */
  static Optional<Puri> puri(Puris puris, String type, ColumnValue stored) {
    return Puri.tryParse(type + ":-")
        .filter(any -> puris.collection(any).isPresent())
        .map(any -> puris.fromStored(any.namespace(), any.collection(), stored));
  }
}
