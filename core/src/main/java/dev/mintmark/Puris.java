package dev.mintmark;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The pURIs of a {@link Catalog}: brought into one form, mapped to what columns hold and back, and
 * made short for clients on poor networks.
 *
 * <p><b>One form.</b> {@link #resolve} gives a collection its present name and an identifier the
 * canonical text of its kind, so that the pURIs of one row are equal, and those of two rows never:
 *
 * <pre>
 *   kind                      read as the same                            canonical
 *   ulid                      ULID, UUID with and without hyphens         01FZG96YPZK4SANAG1ZM5T2K9Z
 *   uuidv7, uuidv4            the same                                    017fe093-7adf-9932-aaaa-...
 *   typeid                    the same; TypeID, in either letter case     user_01fzg96ypzk4sanag1zm5t2k9z
 *   sequence                  any zeros before the number, either case    PM000123
 *   snowflake                 itself                                      175928847299117063
 *   text                      either letter case                          chicken-prime
 *   text (case: sensitive)    itself                                      itself
 *   nanoid                    itself                                      itself
 * </pre>
 *
 * <p>Case is that of ASCII letters and of no others.
 *
 * <p><b>Tolerant.</b> A pURI of a namespace or collection that is not declared is carried, stored
 * and returned as it came, but for escapes, which are written as {@link Puri#toString} says: never
 * an error, never a guess. So is an identifier that its collection cannot read; only to store it in
 * a column that cannot hold it is an error.
 *
 * <p><b>One value.</b> A column holds one value for a row, and what {@link #toStored} would not
 * write there is refused, since nothing would find its row again. Where it is text that is the
 * canonical text, of which the width of a sequence is a part: whoever changes the width of a
 * sequence that is kept as text has to write its rows anew.
 *
 * <p><b>Short.</b> {@link #toCompact} puts codes in the place of declared names, and the 22
 * characters of base64url in the place of 128 bits: 26 characters for the 54 of {@code
 * bobsburgers:meats:017fe093-7adf-9932-aaaa-01fd0ba14d3f}. A code is for ever: give one that is out
 * of use to nothing else, and declare a new one where it is read before it is written.
 *
 * <p>Immutable, and so safe in any number of threads. Make one for a catalog and keep it.
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

  private final String ownNamespace;

  /** By {@link Puri#names}, aliases included. */
  private final Map<String, Declared> byNames = new HashMap<>();

  /** By {@link Declared#codes}. */
  private final Map<String, Declared> byCodes = new HashMap<>();

  /** A collection with all that its pURIs need. */
  private record Declared(NamespaceSpec namespace, CollectionSpec collection, IdNotation notation) {
    String names(String collectionName) {
      return key(namespace.name(), collectionName);
    }

    /** The codes with a dot between, if it has them. */
    Optional<String> codes() {
      return namespace
          .code()
          .flatMap(first -> collection.code().map(second -> first + "." + second));
    }

    /** The pURI of the value, which is one that the kind has, whatever the column holds. */
    Puri puri(ColumnValue value) {
      return Puri.of(namespace.name(), collection.name(), notation.write(value));
    }

    /** The value as the column of the collection holds it. */
    ColumnValue kept(ColumnValue value) {
      return value.storage() == collection.storage()
          ? value
          : new ColumnValue.Text(notation.write(value));
    }

    /** The value that the column of the collection holds as {@code kept}. */
    ColumnValue value(ColumnValue kept) {
      boolean isValue = kept.storage() == collection.kind().storage();
      return isValue ? kept : notation.read(kept.toString());
    }

    /** The compact pURI of a value of a collection that has codes. */
    String compact(ColumnValue value) {
      return codes().orElseThrow() + "." + Puri.encode(notation.compact().write(value));
    }

    Optional<ColumnValue> tryRead(String identifier) {
      try {
        return Optional.of(notation.read(identifier));
      } catch (MalformedIdException e) {
        return Optional.empty();
      }
    }
  }

  private Puris(Catalog catalog) {
    this.ownNamespace = catalog.namespace();
    for (NamespaceSpec namespace : catalog.namespaces()) {
      for (CollectionSpec collection : namespace.collections()) {
        Declared declared = new Declared(namespace, collection, IdNotation.of(collection));
        byNames.put(declared.names(collection.name()), declared);
        collection.aliases().forEach(alias -> byNames.put(declared.names(alias), declared));
        declared.codes().ifPresent(codes -> byCodes.put(codes, declared));
      }
    }
  }

  /** Takes in what a catalog declares: all its namespaces, with their aliases and codes. */
  public static Puris of(Catalog catalog) {
    return new Puris(catalog);
  }

  /**
   * Reads a pURI, compact or not, and {@linkplain #resolve resolves} it.
   *
   * @throws MalformedIdException if it is neither: see {@link Puri#parse}; or if it is compact and
   *     the catalog has no such code, or what stands behind the codes is malformed
   */
  public Puri parse(String text) {
    boolean isCompact =
        text.length() <= Puri.LENGTH_MAX && text.indexOf(':') < 0 && endOfCodes(text) >= 0;
    return isCompact ? parseCompact(text) : resolve(Puri.parse(text));
  }

  /** Reads what {@link #parse} reads; empty where it throws. */
  public Optional<Puri> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the pURI that all of the same row share. Of a collection that is not declared, and of
   * an identifier that its collection cannot read, that is the identifier as it came.
   *
   * @throws MalformedIdException if the present name of its collection is longer and the whole then
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

  /** What the collection of a pURI is declared to be, by its present name or by an alias. */
  public Optional<CollectionSpec> collection(Puri puri) {
    return Optional.ofNullable(byNames.get(puri.names())).map(Declared::collection);
  }

  /**
   * Maps a pURI to what the column of its collection holds. Of a collection that is not declared
   * that is its text as a whole.
   *
   * @throws MalformedIdException if the collection cannot read the identifier
   */
  public ColumnValue toStored(Puri puri) {
    Declared declared = byNames.get(puri.names());
    if (declared == null) {
      return new ColumnValue.Text(puri.toString());
    }
    return declared.kept(declared.notation.read(puri.identifier()));
  }

  /**
   * Maps what a column of one of our collections holds to its pURI.
   *
   * @throws MalformedIdException as {@link #fromStored(String, String, ColumnValue)} throws it
   * @throws IllegalArgumentException if the column of that collection holds something else
   */
  public Puri fromStored(String collection, ColumnValue stored) {
    return fromStored(ownNamespace, collection, stored);
  }

  /**
   * Maps what a column holds to its pURI: what {@link #toStored} made becomes the pURI that {@link
   * #resolve} makes. Of a collection that is not declared that is the whole pURI as text.
   *
   * @param collection its present name, or an alias
   * @throws MalformedIdException if it is no identifier of the collection: a text that is none, a
   *     number below zero; or if it is not the canonical text, which {@link #toStored} would make
   *     another value of
   * @throws IllegalArgumentException if the column of that collection holds something else
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
          "collection %s is kept as %s: found %s"
              .formatted(Quoted.of(names), expected.label(), described(stored)));
    }
    Puri puri = declared.puri(declared.value(stored));
    checkCanonical(names, stored, toStored(puri), remedy(declared.collection));
    return puri;
  }

  /**
   * Writes a pURI for a client that counts bytes. {@link #parse} reads it.
   *
   * <pre>
   *   b . m . AX_gk3rfmTKqqgH9C6FNPw     meats is uuidv7: 22 characters of base64url
   *   b . p . 123                        payments is a sequence: the number alone
   *   b . s . chicken-prime              a text, percent-encoded
   * </pre>
   *
   * <p>It has no colon, and every pURI has: one cannot be taken for the other. Kept whole is what
   * has no codes, what its collection cannot read, and what would not become shorter.
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
   * Makes a type of one of our collections, whose identifiers the compiler keeps apart from those
   * of others.
   *
   * @param collection its present name, or an alias, in either letter case
   * @param type what its identifiers name
   * @throws IllegalArgumentException if there is no such collection
   */
  public <T> TypedCollection<T> typed(String collection, Class<T> type) {
    return typed(ownNamespace, collection, type);
  }

  /**
   * Makes a type of a collection of any namespace that is declared.
   *
   * @param collection its present name, or an alias; both in either letter case
   * @param type what its identifiers name
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
    return declared.puri(declared.notation.compact().read(identifier));
  }

  /** Where the second dot is, which ends the codes; below zero if there is none. */
  private static int endOfCodes(String text) {
    int first = text.indexOf('.');
    return first < 0 ? first : text.indexOf('.', first + 1);
  }

  /** What {@link Puri#names} are of names that are declared: none of them needs an escape. */
  private static String key(String namespace, String collection) {
    return AsciiCase.lower(namespace + ":" + collection);
  }

  /** The pURI that a column holds as a whole. */
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

  /** Refuses what would be looked for under another value than the one that the column holds. */
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

  /** What to do where a column holds another text than the canonical one. */
  private static String remedy(CollectionSpec collection) {
    return switch (collection.kind()) {
      case TEXT -> "declare case: sensitive, or write its rows anew";
      case SEQUENCE -> "declare the width that its rows have, or write them anew";
      default -> "write its rows anew";
    };
  }
}
