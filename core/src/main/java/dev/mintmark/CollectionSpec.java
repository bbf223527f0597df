package dev.mintmark;

import java.util.List;
import java.util.Optional;

/**
 * What a collection is declared to be: the identifiers of one type of object, and where they are
 * kept. Named after the domain, not after a system.
 *
 * @param name the second segment of a pURI: 1 to 63 of {@code a-z}, {@code 0-9} and {@code -},
 *     starting with a letter
 * @param kind how its identifiers are made
 * @param storage what its column holds
 * @param prefix what its identifiers are shown behind: {@code PM} for {@code PM000123}
 * @param width digits that a shown number has at least; 0 where it is not padded
 * @param table the table, with its schema where it has one; empty if it has none
 * @param column the column that holds the identifier
 * @param aliases earlier names, of the same form, by which its identifiers are still read
 * @param face the masked face its identifiers are shown through outside, if any
 */
public record CollectionSpec(
    String name,
    Kind kind,
    Kind.Storage storage,
    Optional<String> prefix,
    int width,
    Optional<String> table,
    String column,
    List<String> aliases,
    Optional<Face> face) {
  /**
   * A masked face: a prefix, and the label its key is derived by.
   *
   * @param mask the prefix of the masked text: {@code pay} for {@code pay_...}
   * @param keyLabel what the key is derived by; it stays when the collection is renamed
   */
  public record Face(String mask, String keyLabel) {}

  public CollectionSpec {
    aliases = List.copyOf(aliases);
    CatalogName.check("collection", name);
    aliases.forEach(alias -> CatalogName.check("collection", alias));
    if (width < 0 || width > 18) {
      throw new IllegalArgumentException(
          "collection " + Quoted.of(name) + ": width is " + width + ": expected 0 to 18");
    }
  }
}
