package dev.mintmark;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Columns of a table that refer to rows of several collections, as the catalog declares them.
 * {@link PuriReference} says what they hold. Immutable.
 *
 * @param column the table and the beginning of the names of its columns: {@code comments.subject}
 *     for {@code subject_type}, {@code subject_uuid}, {@code subject_number} and {@code
 *     subject_text}; at most 56 bytes, because PostgreSQL cuts longer names of columns at 63
 * @param types the collections that it may refer to, by name, or by namespace and name with a colon
 *     between them for those of others; empty for rows of any collection, also an unknown one
 */
public record ReferenceSpec(CollectionSpec.Reference column, List<String> types) {
  private static final String LONGEST_END = "_number";

  /**
   * Checks the column and the types.
   *
   * @throws IllegalArgumentException if the name of one of its columns is too long, or one of the
   *     types is listed twice
   */
  public ReferenceSpec {
    CatalogName.checkColumn(column.column() + LONGEST_END);
    types = List.copyOf(types);
    Set<String> listed = new HashSet<>();
    for (String type : types) {
      if (!listed.add(type)) {
        throw new IllegalArgumentException(
            "reference %s: the collection %s is listed twice"
                .formatted(Quoted.of(column.toString()), Quoted.of(type)));
      }
    }
  }

  /**
   * Returns the codes of the types, {@code b.m}, in their order.
   *
   * @throws IllegalArgumentException if one is not a collection of the namespaces, or has no codes
   *     or is stored as text, so that a reference to it has no code
   */
  public List<String> codes(List<NamespaceSpec> namespaces) {
    return types.stream().map(type -> code(type, namespaces)).toList();
  }

  private String code(String type, List<NamespaceSpec> namespaces) {
    int colon = type.indexOf(':');
    Stream<NamespaceSpec> owners =
        colon < 0
            ? namespaces.stream().limit(1)
            : namespaces.stream().filter(owner -> owner.name().equals(type.substring(0, colon)));
    String name = type.substring(colon + 1);
    Optional<String> codes =
        owners
            .flatMap(
                owner ->
                    owner.collections().stream()
                        .filter(collection -> collection.name().equals(name))
                        .flatMap(collection -> ReferenceTypes.codes(owner, collection).stream()))
            .findFirst();
    return codes.orElseThrow(
        () ->
            new IllegalArgumentException(
                "reference %s: %s is not a collection of the catalog that has a code, as its namespace has, and is stored as uuid or bigint"
                    .formatted(Quoted.of(column.toString()), Quoted.of(type))));
  }
}
