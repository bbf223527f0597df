package dev.mintmark;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The pURIs of a {@link Catalog}: normalized, converted to and from column values, and shortened
 * for slow networks.
 *
 * <p><b>One form.</b> {@link #resolve} returns the present name of the collection and the canonical
 * text of the identifier, so that the pURIs of one row are equal, and those of two rows never are:
 *
 * <pre>
 *   kind                      read as the same                            canonical
 *   ulid                      ULID, UUID with and without hyphens         01FZG96YPZK4SANAG1ZM5T2K9Z
 *   uuidv7, uuidv4            the same                                    017fe093-7adf-9932-aaaa-...
 *   typeid                    the same; TypeID, in either letter case     user_01fzg96ypzk4sanag1zm5t2k9z
 *   sequence                  any zeros before the number, either case    PM000123
 *   snowflake                 itself                                      175928847299117063
 *   tsid                      either letter case                          01226N0640J7Q
 *   objectid                  either letter case                          507f1f77bcf86cd799439011
 *   xid                       either letter case                          9m4e2mr0ui3e8a215n4g
 *   text                      either letter case                          chicken-prime
 *   text (case: sensitive)    itself                                      itself
 *   nanoid, ksuid             itself                                      itself
 * </pre>
 *
 * <p>Only ASCII letters are folded.
 *
 * <p><b>Tolerant.</b> A pURI of an undeclared namespace or collection passes through unchanged,
 * except for its escapes, which are written as by {@link Puri#toString}. The same is true of an
 * identifier that its collection cannot read; only storing it in a column that cannot hold it is an
 * error.
 *
 * <p><b>One value.</b> A column holds one value for a row. Values that {@link #toStored} would not
 * write are rejected, because a search would not find their row. In a text column that value is the
 * canonical text, which includes the width of a sequence: if you change the width of a sequence
 * that is stored as text, you must rewrite its rows.
 *
 * <p><b>Short.</b> {@link #toCompact} replaces declared names by codes, and 128 bits by 22
 * characters of base64url: 26 characters for the 54 of {@code
 * bobsburgers:meats:017fe093-7adf-9932-aaaa-01fd0ba14d3f}. A code is permanent: never reuse an old
 * one, and declare a new one in all readers before a writer uses it.
 *
 * <p>Immutable and thread-safe. Make one for a catalog and keep it.
 *
 * <pre>{@code
 * CollectionSpec mandates =
 *     CollectionSpec.builder("mandates", Kind.SEQUENCE)
 *         .prefix("MD")
 *         .width(6)
 *         .aliases(List.of("direct-debits"))
 *         .build();
 * Puris puris = Puris.of(new Catalog("bobsburgers", List.of(mandates), List.of()));
 * Puri puri = puris.parse("bobsburgers:direct-debits:md123");   // bobsburgers:mandates:MD000123
 * puris.toStored(puri);                                         // 123, a ColumnValue.Bigint
 * puris.fromStored("mandates", new ColumnValue.Bigint(123));         // bobsburgers:mandates:MD000123
 * }</pre>
 */
public final class Puris {
  private static final String WHAT_COMPACT = "compact pURI";
  private static final Pattern CODES = Pattern.compile("[a-z][a-z0-9]{0,7}\\.[a-z][a-z0-9]{0,7}");

  private final String ownNamespace;

  /** By {@link Puri#names}, aliases included. */
  private final Map<String, Declared> byNames = new HashMap<>();

  /** By {@link Declared#codes}. */
  private final Map<String, Declared> byCodes = new HashMap<>();

  /** A collection with the data for its pURIs. */
  private record Declared(NamespaceSpec namespace, CollectionSpec collection, KindType<?> type) {
    String names(String collectionName) {
      return key(namespace.name(), collectionName);
    }

    /** The codes with a dot between them, if it has codes. */
    Optional<String> codes() {
      return namespace
          .code()
          .flatMap(first -> collection.code().map(second -> first + "." + second));
    }

    /** The pURI of a value of the kind, for any type of column. */
    Puri puri(ColumnValue value) {
      return Puri.of(namespace.name(), collection.name(), type.write(value));
    }

    /** The value as the column of the collection holds it. */
    ColumnValue kept(ColumnValue value) {
      return value.storage() == collection.storage()
          ? value
          : new ColumnValue.Text(type.write(value));
    }

    /** The value that the column of the collection holds as {@code kept}. */
    ColumnValue value(ColumnValue kept) {
      boolean isValue = kept.storage() == collection.kind().storage();
      return isValue ? kept : type.read(kept.toString());
    }

    /** The compact pURI of a value of a collection that has codes. */
    String compact(ColumnValue value) {
      return codes().orElseThrow() + "." + Puri.encode(type.writeCompact(value));
    }

    Optional<ColumnValue> tryRead(String identifier) {
      try {
        return Optional.of(type.read(identifier));
      } catch (MalformedIdException e) {
        return Optional.empty();
      }
    }
  }

  private Puris(Catalog catalog) {
    this.ownNamespace = catalog.namespace();
    for (NamespaceSpec namespace : catalog.namespaces()) {
      for (CollectionSpec collection : namespace.collections()) {
        Declared declared =
            new Declared(
                namespace, collection, collection.kind().type(KindRow.Text.of(collection)));
        byNames.put(declared.names(collection.name()), declared);
        collection.aliases().forEach(alias -> byNames.put(declared.names(alias), declared));
        declared.codes().ifPresent(codes -> byCodes.put(codes, declared));
      }
    }
  }

  /** Returns the pURIs of a catalog: all its namespaces, with their aliases and codes. */
  public static Puris of(Catalog catalog) {
    return new Puris(catalog);
  }

  /**
   * Reads a pURI, compact or not, and {@linkplain #resolve resolves} it.
   *
   * @throws MalformedIdException if it is neither, see {@link Puri#parse}; or if it is compact and
   *     the catalog has no such code, or the part after the codes is malformed
   */
  public Puri parse(String text) {
    return isCompact(text) ? parseCompact(text) : resolve(Puri.parse(text));
  }

  /**
   * Whether a text has the form of a compact pURI whose codes the catalog does not have, as a
   * program with a newer catalog writes it. {@link #parse} rejects it.
   */
  public boolean hasUnknownCodes(String text) {
    if (!isCompact(text)) {
      return false;
    }
    int end = endOfCodes(text);
    String codes = AsciiCase.lower(text.substring(0, end));
    return CODES.matcher(codes).matches()
        && !byCodes.containsKey(codes)
        && isSegment(text, end + 1);
  }

  private static boolean isSegment(String text, int start) {
    try {
      Puri.decode(text, start, text.length());
      return true;
    } catch (MalformedIdException e) {
      return false;
    }
  }

  /** Whether a text has the form of a compact pURI: two dots and no colon. */
  static boolean isCompact(String text) {
    return text.length() <= Puri.LENGTH_MAX && text.indexOf(':') < 0 && endOfCodes(text) >= 0;
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public Optional<Puri> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the pURI that all pURIs of the same row resolve to. The identifier is unchanged if its
   * collection is not declared or cannot read it.
   *
   * @throws MalformedIdException if the present name of its collection is longer and the text then
   *     exceeds {@link Puri#LENGTH_MAX} characters
   */
  public Puri resolve(Puri puri) {
    Declared declared = byNames.get(puri.names());
    if (declared == null) {
      return puri;
    }
    return declared
        .tryRead(puri.identifier())
        .map(declared::puri)
        .orElseGet(
            () ->
                Puri.of(declared.namespace.name(), declared.collection.name(), puri.identifier()));
  }

  /** The declaration of the collection of a pURI, found by its name or by an alias. */
  public Optional<CollectionSpec> collection(Puri puri) {
    return Optional.ofNullable(byNames.get(puri.names())).map(Declared::collection);
  }

  /** Whether a resolved pURI is one of this collection of our namespace. */
  boolean isOurs(Puri puri, CollectionSpec ours) {
    return puri.namespace().equals(ownNamespace)
        && collection(puri).filter(ours::equals).isPresent();
  }

  /**
   * Converts a pURI to the value in the column of its collection. If the collection is not
   * declared, the value is the whole text.
   *
   * @throws MalformedIdException if the collection cannot read the identifier
   */
  public ColumnValue toStored(Puri puri) {
    Declared declared = byNames.get(puri.names());
    if (declared == null) {
      return new ColumnValue.Text(puri.toString());
    }
    return declared.kept(declared.type.read(puri.identifier()));
  }

  /**
   * Converts a column value of one of our collections to its pURI.
   *
   * @throws MalformedIdException as {@link #fromStored(String, String, ColumnValue)} throws it
   * @throws IllegalArgumentException if the value has another type than the column of the
   *     collection
   */
  public Puri fromStored(String collection, ColumnValue stored) {
    return fromStored(ownNamespace, collection, stored);
  }

  /**
   * Converts a column value to its pURI: a value of {@link #toStored} becomes the pURI of {@link
   * #resolve}. If the collection is not declared, the value is the whole pURI as text.
   *
   * @param collection its present name, or an alias
   * @throws MalformedIdException if it is not an identifier of the collection, such as a malformed
   *     text or a negative number, or if it is not the canonical text that {@link #toStored}
   *     returns
   * @throws IllegalArgumentException if the value has another type than the column of the
   *     collection
   */
  public Puri fromStored(String namespace, String collection, ColumnValue stored) {
    String names = Puri.of(namespace, collection, "-").names();
    Declared declared = byNames.get(names);
    if (declared == null) {
      return undeclared(names, stored);
    }
    Kind.Storage expected = declared.collection.storage();
    if (stored.storage() != expected) {
      throw new IllegalArgumentException(
          "collection %s is stored as %s: found %s"
              .formatted(Quoted.of(names), expected.label(), described(stored)));
    }
    Puri puri = declared.puri(declared.value(stored));
    checkCanonical(names, stored, toStored(puri), declared.collection.kind().remedy());
    return puri;
  }

  /**
   * Writes a compact pURI, which saves bytes. {@link #parse} reads it.
   *
   * <pre>
   *   b . m . AX_gk3rfmTKqqgH9C6FNPw     meats is uuidv7: 22 characters of base64url
   *   b . p . 123                        payments is a sequence: the number alone
   *   b . s . chicken-prime              a text, percent-encoded
   * </pre>
   *
   * <p>It has no colon and every other pURI has one, so the two cannot be confused. A pURI is not
   * shortened if it has no codes, if its collection cannot read it, or if it would not become
   * shorter.
   *
   * @throws MalformedIdException as {@link #resolve} throws it
   */
  public String toCompact(Puri puri) {
    Puri resolved = resolve(puri);
    String whole = resolved.toString();
    Declared declared = byNames.get(resolved.names());
    if (declared == null || declared.codes().isEmpty()) {
      return whole;
    }
    return declared
        .tryRead(resolved.identifier())
        .map(value -> declared.compact(value))
        .filter(compact -> compact.length() < whole.length())
        .orElse(whole);
  }

  /**
   * Returns one of our collections as a type, so that the compiler rejects identifiers of other
   * collections.
   *
   * @param collection its present name, or an alias, in either letter case
   * @param type the type of the named objects
   * @throws IllegalArgumentException if there is no such collection
   */
  public <T> TypedCollection<T> typed(String collection, Class<T> type) {
    return typed(ownNamespace, collection, type);
  }

  /**
   * Returns a collection of any declared namespace as a type.
   *
   * @param collection its present name, or an alias; both in either letter case
   * @param type the type of the named objects
   * @throws IllegalArgumentException if there is no such collection
   */
  public <T> TypedCollection<T> typed(String namespace, String collection, Class<T> type) {
    String names = key(namespace, collection);
    Declared declared = byNames.get(names);
    if (declared == null) {
      throw new IllegalArgumentException("the catalog has no collection " + Quoted.of(names));
    }
    return new TypedCollection<>(this, declared.namespace.name(), declared.collection.name(), type);
  }

  private Puri parseCompact(String text) {
    int end = endOfCodes(text);
    Declared declared = byCodes.get(AsciiCase.lower(text.substring(0, end)));
    if (declared == null) {
      throw Malformed.because(
          WHAT_COMPACT,
          text,
          "the catalog has no collection of the codes " + Quoted.of(text.substring(0, end)));
    }
    String identifier = Puri.decode(text, end + 1, text.length());
    return declared.puri(declared.type.readCompact(identifier));
  }

  /** The index of the second dot, which ends the codes; negative if there is none. */
  private static int endOfCodes(String text) {
    int first = text.indexOf('.');
    return first < 0 ? first : text.indexOf('.', first + 1);
  }

  /** The {@link Puri#names} of declared names: none of them needs an escape. */
  private static String key(String namespace, String collection) {
    return AsciiCase.lower(namespace + ":" + collection);
  }

  /** The pURI that a column holds as text. */
  private static Puri undeclared(String names, ColumnValue stored) {
    if (stored.storage() != Kind.Storage.TEXT) {
      throw new IllegalArgumentException(
          "the catalog has no collection %s: expected the whole pURI as text, found %s"
              .formatted(Quoted.of(names), described(stored)));
    }
    Puri puri = Puri.parse(stored.toString());
    if (!puri.names().equals(names)) {
      throw Malformed.because("pURI", stored.toString(), "expected one of " + Quoted.of(names));
    }
    return puri;
  }

  private static String described(ColumnValue stored) {
    return Quoted.of(stored.toString()) + " of " + stored.storage().label();
  }

  /** Rejects a value that {@link #toStored} would write differently: a search would miss it. */
  private static void checkCanonical(
      String names, ColumnValue held, ColumnValue expected, String remedy) {
    if (!held.equals(expected)) {
      throw new MalformedIdException(
          "collection %s: the column holds %s: its canonical text is %s: %s"
              .formatted(
                  Quoted.of(names),
                  Quoted.of(held.toString()),
                  Quoted.of(expected.toString()),
                  remedy));
    }
  }
}
