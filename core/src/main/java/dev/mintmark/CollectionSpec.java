package dev.mintmark;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

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
   * @param mask the prefix of the masked text, {@code pay} for {@code pay_...}: 1 to 63 of {@code
   *     a-z}, {@code 0-9} and {@code _}, starting with a letter and not ending with {@code _}
   * @param keyLabel what the key is derived by; it stays when the collection is renamed: 1 to 63 of
   *     {@code a-z}, {@code 0-9} and {@code -}, starting with a letter
   */
  public record Face(String mask, String keyLabel) {
    private static final Pattern MASK = Pattern.compile("[a-z]([a-z0-9_]{0,61}[a-z0-9])?");

    public Face {
      if (!MASK.matcher(mask).matches()) {
        throw new IllegalArgumentException(
            "malformed mask "
                + Quoted.of(mask)
                + ": expected 1 to 63 of a-z, 0-9 and '_', starting with a letter and not ending"
                + " with '_'");
      }
      CatalogName.check("key-label", keyLabel);
    }
  }

  public CollectionSpec {
    aliases = List.copyOf(aliases);
    CatalogName.check("collection", name);
    if (face.isPresent() && storage == Kind.Storage.TEXT) {
      throw new IllegalArgumentException(
          "collection "
              + Quoted.of(name)
              + ": a face masks 64 or 128 bits: expected storage bigint or uuid, found text");
    }
    aliases.forEach(alias -> CatalogName.check("collection", alias));
    if (width < 0 || width > 18) {
      throw new IllegalArgumentException(
          "collection " + Quoted.of(name) + ": width is " + width + ": expected 0 to 18");
    }
  }
}
