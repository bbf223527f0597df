package dev.mintmark;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The types of references in a database: converts pURIs to {@link PuriReference}s and back.
 *
 * <p>A type has a code if its namespace and its collection have codes in the catalog, and it is
 * stored as {@code uuid} or {@code bigint}. The database assigns the code when the script of the
 * catalog runs, and never assigns it again. References to rows of other types hold the whole pURI.
 *
 * <p>A code that the catalog does not have, because another program has a newer one, is no error:
 * the reference is read, compared and written unchanged, and has no pURI.
 *
 * <p>Immutable and thread-safe. Make one for a database and keep it until the catalog changes.
 *
 * <pre>{@code
 * ReferenceTypes types = ReferenceTypes.of(catalog, Map.of("b.m", (short) 1));
 * types.reference(Puri.parse("bobsburgers:meats:01FZG96YPZK4SANAG1ZM5T2K9Z"));   // 1, 017fe093-...
 * }</pre>
 */
public final class ReferenceTypes {
  private final Puris puris;

  /** By the code. */
  private final Map<Short, Type> byCode = new HashMap<>();

  /** By the present names in lower case. */
  private final Map<String, Type> byNames = new HashMap<>();

  /** A type of the catalog; its code is 0 if the database has not assigned one. */
  private record Type(short code, String codes, String namespace, CollectionSpec collection) {}

  private ReferenceTypes(Catalog catalog, Map<String, Short> assigned) {
    this.puris = Puris.of(catalog);
    for (NamespaceSpec namespace : catalog.namespaces()) {
      for (CollectionSpec collection : namespace.collections()) {
        codes(namespace, collection)
            .map(codes -> type(codes, namespace, collection, assigned))
            .ifPresent(this::add);
      }
    }
  }

  private static Type type(
      String codes,
      NamespaceSpec namespace,
      CollectionSpec collection,
      Map<String, Short> assigned) {
    short code = assigned.getOrDefault(codes, (short) 0);
    if (code != 0 && PuriReference.storage(code) != collection.storage()) {
      throw new IllegalArgumentException(
          "reference type %s has the code %s, which is of %s: the collection %s is stored as %s: give it another code"
              .formatted(
                  codes,
                  code,
                  PuriReference.storage(code).label(),
                  Quoted.of(collection.name()),
                  collection.storage().label()));
    }
    return new Type(code, codes, namespace.name(), collection);
  }

  private void add(Type type) {
    byNames.put(names(type.namespace, type.collection.name()), type);
    if (type.code != 0) {
      byCode.put(type.code, type);
    }
  }

  /**
   * Returns the types of a catalog.
   *
   * @param assigned the codes in the database, by the codes of namespace and collection in the
   *     catalog with a dot between them: {@code b.m}. Others than those of the catalog are ignored
   * @throws IllegalArgumentException if the storage of a collection is not that of its code
   */
  public static ReferenceTypes of(Catalog catalog, Map<String, Short> assigned) {
    return new ReferenceTypes(catalog, assigned);
  }

  /**
   * Returns the codes of a collection in the catalog, {@code b.m}; empty if references to its rows
   * hold the whole pURI, because it has no codes or is stored as text.
   */
  public static Optional<String> codes(NamespaceSpec namespace, CollectionSpec collection) {
    return namespace
        .code()
        .filter(first -> collection.storage() != Kind.Storage.TEXT)
        .flatMap(first -> collection.code().map(second -> first + "." + second));
  }

  /**
   * Returns the reference to the row that a pURI names.
   *
   * @throws MalformedIdException if the collection cannot read the identifier
   * @throws IllegalStateException if the database has not assigned a code to the type yet
   */
  public PuriReference reference(Puri puri) {
    Puri resolved = puris.resolve(puri).canonical();
    Type type = byNames.get(resolved.names());
    if (type == null) {
      return new PuriReference((short) 0, new ColumnValue.Text(resolved.toString()));
    }
    if (type.code == 0) {
      throw new IllegalStateException(
          "reference type %s (%s) has no code in the database: run the script of mintmark catalog references"
              .formatted(type.codes, resolved.names()));
    }
    return new PuriReference(type.code, puris.toStored(resolved));
  }

  /**
   * Returns the pURI of the row that a reference refers to; empty if the catalog does not have the
   * type.
   *
   * @throws MalformedIdException if the id is not an identifier of its collection
   */
  public Optional<Puri> puri(PuriReference reference) {
    if (reference.code() == 0) {
      return Optional.of(Puri.parse(reference.id().toString()));
    }
    return Optional.ofNullable(byCode.get(reference.code()))
        .map(type -> puris.fromStored(type.namespace, type.collection.name(), reference.id()));
  }

  private static String names(String namespace, String collection) {
    return AsciiCase.lower(namespace + ":" + collection);
  }
}
