package dev.mintmark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a collection is declared to be: the identifiers of one type of object, and where they are
 * kept. Named after the domain, not after a system.
 *
 * <pre>{@code
 * CollectionSpec payments =
 *     CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").width(6).build();
 * }</pre>
 *
 * @param name the second segment of a pURI: of ours 1 to 63 of {@code a-z}, {@code 0-9} and {@code
 *     -}, starting with a letter; of others 1 to 63 of {@code A-Z a-z 0-9 - . _ ~}
 * @param kind how its identifiers are made
 * @param storage what its column holds: what its kind is kept as, or text
 * @param narrow whether its column is an integer of fewer than 8 bytes (PostgreSQL's integer or
 *     smallint), which migrations leave as it is; its identifiers are bigints everywhere else. Only
 *     of the kind sequence, kept as bigint
 * @param prefix the text before its identifiers, {@code PM} for {@code PM000123}: one of {@link
 *     SequenceId.Format} or of {@link TypeId}, and of no other kind
 * @param width digits that the number of a sequence has at least, up to 18; 0 where it is not
 *     padded, and for every other kind
 * @param caseSensitive whether identifiers that differ in the case of a letter are different ones:
 *     always of the kinds nanoid and ksuid, as declared of the kind text, of no other
 * @param code what {@linkplain Puris#toCompact compact} pURIs have in place of the name: 1 to 8 of
 *     {@code a-z} and {@code 0-9}, starting with a letter. Once given it stays: a code that is
 *     given to another collection later turns old identifiers into wrong ones
 * @param table the table, with its schema and a dot before it where it has one; empty if it has
 *     none: each 1 to 63 bytes of UTF-8 without control characters
 * @param column the column that holds the identifier: of the same form; {@code id} where there is
 *     no table
 * @param created the column that says when a row was made: of the same form, and another one than
 *     {@code column}. When a migration adds the column of the identifier, the rows that are there
 *     already are filled from it. Only of a collection with a table
 * @param referencedBy columns that hold identifiers of the collection and have no foreign key to
 *     it, each once. What has one need not stand here. Only of a collection with a table
 * @param aliases earlier names, of the same form, by which its identifiers are still read
 * @param face the masked face its identifiers are shown through outside, if any
 * @param faceChange the face before this one, while clients change from it
 * @param mint where its identifiers are minted, in which order, and what existing rows get
 * @param findColumns the columns of its table that a server shows of the row that an identifier
 *     names, each once, at most {@value #FIND_COLUMNS_MAX}: empty if a server does not look for its
 *     rows. Only of a collection with a table
 */
public record CollectionSpec(
    String name,
    Kind kind,
    Kind.Storage storage,
    boolean narrow,
    Optional<String> prefix,
    int width,
    boolean caseSensitive,
    Optional<String> code,
    Optional<String> table,
    String column,
    Optional<String> created,
    List<Reference> referencedBy,
    List<String> aliases,
    Optional<Face> face,
    Optional<FaceChange> faceChange,
    MintDeclaration mint,
    List<String> findColumns) {
  /** The most columns that are shown of a row. */
  public static final int FIND_COLUMNS_MAX = 64;

  private static final String COLUMN_DEFAULT = "id";
  private static final String NARROW_LABEL = "integer";

  /**
   * A masked face: a prefix, the label its key is derived by, and its shape.
   *
   * @param mask the prefix of the masked text, {@code pay} for {@code pay_...}: 1 to 63 of {@code
   *     a-z}, {@code 0-9} and {@code _}, starting with a letter and not ending with {@code _};
   *     empty for {@link Shape#UUID}, which has no prefix
   * @param keyLabel what the key is derived by; it stays when the collection is renamed: 1 to 63 of
   *     {@code a-z}, {@code 0-9} and {@code -}, starting with a letter
   * @param shape the form of the text; a change makes other faces of all identifiers
   */
  public record Face(String mask, String keyLabel, Shape shape) {
    private static final Pattern MASK = Pattern.compile("[a-z]([a-z0-9_]{0,61}[a-z0-9])?");

    /** The form of the text of a face. */
    public enum Shape {
      /** A prefix and 27 digits. A number is sealed: a forged face is rejected. */
      LONG,
      /**
       * A UUIDv8. For kinds stored as bigint, which are sealed, and for UUIDv7 and TypeID: a UUID
       * has no room for more than 117 bits beside the name of the key.
       */
      UUID,
      /**
       * A prefix and 14 digits. For kinds stored as bigint. Not sealed: every text of this form
       * opens to some number.
       */
      SHORT;

      /** The name by which catalogs call it: {@code long}. */
      public String label() {
        return name().toLowerCase(Locale.ROOT);
      }

      /**
       * Returns the shape called {@code label}, in lower case.
       *
       * @throws IllegalArgumentException if there is none; the message lists those there are
       */
      public static Shape parse(String label) {
        return Arrays.stream(values())
            .filter(shape -> shape.label().equals(label))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        Spelling.unknown(
                            "shape", label, Arrays.stream(values()).map(Shape::label).toList())));
      }

      /** Whether faces of identifiers of this kind can have this shape. */
      public boolean fits(Kind kind) {
        return switch (this) {
          case LONG -> kind.storage() != Kind.Storage.TEXT;
          case UUID -> kind.storage() == Kind.Storage.BIGINT || kind.has(Kind.Option.UUID_FACE);
          case SHORT -> kind.storage() == Kind.Storage.BIGINT;
        };
      }

      void check(Kind kind) {
        if (this != LONG && !fits(kind)) {
          throw new IllegalArgumentException(
              "kind %s has no face of shape %s: that is of %s"
                  .formatted(
                      kind.label(),
                      label(),
                      Arrays.stream(Kind.values())
                          .filter(this::fits)
                          .map(Kind::label)
                          .collect(Collectors.joining(", "))));
        }
      }
    }

    public Face {
      if (shape == Shape.UUID && !mask.isEmpty()) {
        throw new IllegalArgumentException(
            "mask " + Quoted.of(mask) + ": a face of shape uuid has no prefix");
      }
      if (shape != Shape.UUID && !MASK.matcher(mask).matches()) {
        throw new IllegalArgumentException(
            "malformed mask "
                + Quoted.of(mask)
                + ": expected 1 to 63 of a-z, 0-9 and '_', starting with a letter and not ending"
                + " with '_'");
      }
      CatalogName.check("key-label", keyLabel);
    }

    /**
     * Whether a text has the length and the prefix of such a face, or is a UUIDv8 if the shape is
     * {@link Shape#UUID}. A forged face has this form too: only a {@link Mask} opens faces.
     */
    public boolean hasFormOf(String text) {
      return FaceText.of(this).misfit(text).isEmpty();
    }

    /** A face of {@link Shape#LONG}. */
    public Face(String mask, String keyLabel) {
      this(mask, keyLabel, Shape.LONG);
    }

    /** A face of {@link Shape#UUID}. */
    public static Face ofUuids(String keyLabel) {
      return new Face("", keyLabel, Shape.UUID);
    }
  }

  /**
   * A column that refers to a collection.
   *
   * @param table its table, with its schema and a dot before it where it has one: of the form of
   *     {@link CollectionSpec#table}
   * @param column of the form of {@link CollectionSpec#column}, without a dot
   */
  public record Reference(String table, String column) {
    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if one of them is malformed
     */
    public Reference {
      CatalogName.checkTable(table);
      CatalogName.checkColumn(column);
      if (column.indexOf('.') >= 0) {
        throw new IllegalArgumentException(
            "malformed column name " + Quoted.of(column) + ": a reference has none with a dot");
      }
    }

    /**
     * Reads {@code order_lines.order_id} or {@code shop.order_lines.order_id}.
     *
     * @throws IllegalArgumentException if {@code text} is neither; the message quotes it
     */
    public static Reference parse(String text) {
      int dot = text.lastIndexOf('.');
      try {
        return new Reference(text.substring(0, Math.max(dot, 0)), text.substring(dot + 1));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "malformed reference "
                + Quoted.of(text)
                + ": expected TABLE.COLUMN or SCHEMA.TABLE.COLUMN, each 1 to 63 bytes of UTF-8"
                + " without control characters",
            e);
      }
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
      return table + "." + column;
    }
  }

  public CollectionSpec {
    referencedBy = List.copyOf(referencedBy);
    aliases = List.copyOf(aliases);
    findColumns = List.copyOf(findColumns);
    CatalogName.checkForeign("collection", name);
    aliases.forEach(alias -> CatalogName.checkForeign("collection", alias));
    code.ifPresent(CatalogName::checkCode);
    try {
      table.ifPresent(CatalogName::checkTable);
      CatalogName.checkColumn(column);
      created.ifPresent(CatalogName::checkColumn);
      findColumns.forEach(CatalogName::checkColumn);
    } catch (IllegalArgumentException e) {
      throw wrong(name, String.valueOf(e.getMessage()));
    }
    checkRelations(name, table, column, created, referencedBy);
    checkFindColumns(name, table, findColumns);
    checkStorage(name, kind, storage, narrow);
    if (face.isPresent() && storage == Kind.Storage.TEXT) {
      throw wrong(name, "a face masks 64 or 128 bits: expected storage bigint or uuid, found text");
    }
    for (Face declared :
        Stream.concat(face.stream(), faceChange.flatMap(FaceChange::mask).stream()).toList()) {
      checkShape(name, kind, declared);
    }
    try {
      mint.check(kind, table.isPresent(), created.isPresent());
      faceChange.ifPresent(change -> change.checkBeside(face, storage));
    } catch (IllegalArgumentException e) {
      throw wrong(name, String.valueOf(e.getMessage()));
    }
    checkText(name, kind, prefix, width);
    if (!kind.has(Kind.Option.CASE) && caseSensitive != kind.isCaseSensitive()) {
      throw wrong(
          name,
          "kind %s is always case-%s"
              .formatted(kind.label(), caseSensitive ? "insensitive" : "sensitive"));
    }
  }

  /** Starts with what every collection has; the rest is as {@link Builder} says. */
  public static Builder builder(String name, Kind kind) {
    return new Builder(name, kind);
  }

  /**
   * What catalogs call what its column holds: the label of its storage, or {@code integer} where it
   * is narrow.
   */
  public String storageLabel() {
    return storageLabel(storage, narrow);
  }

  /**
   * Returns this if it can be one of ours, whose names have a stricter form than those of others.
   *
   * @throws IllegalArgumentException if its name or an alias has not
   */
  public CollectionSpec asOurs() {
    CatalogName.check("collection", name);
    aliases.forEach(alias -> CatalogName.check("collection", alias));
    return this;
  }

  /**
   * Checks that a program may mint its identifiers.
   *
   * @throws IllegalArgumentException if it declares that the server does
   */
  public void checkMintedHere() {
    if (mint.isByServer()) {
      throw wrong(
          name,
          "it declares mint: server, so the default of its column mints: insert rows without an"
              + " identifier");
    }
  }

  /** Whether that is its name or one of its aliases, in either letter case. */
  boolean isCalled(String name) {
    return Stream.concat(Stream.of(this.name), aliases.stream())
        .anyMatch(own -> AsciiCase.lower(own).equals(AsciiCase.lower(name)));
  }

  private static void checkShape(String name, Kind kind, Face face) {
    try {
      face.shape().check(kind);
    } catch (IllegalArgumentException e) {
      throw wrong(name, String.valueOf(e.getMessage()));
    }
  }

  private static void checkStorage(String name, Kind kind, Kind.Storage storage, boolean narrow) {
    if (narrow && storage != Kind.Storage.BIGINT) {
      throw wrong(name, "only what is kept as bigint is narrow, found " + storage.label());
    }
    boolean fits =
        narrow
            ? kind.has(Kind.Option.NARROW)
            : storage == kind.storage() || storage == Kind.Storage.TEXT;
    if (!fits) {
      throw wrong(
          name, "kind " + kind.label() + " cannot be kept as " + storageLabel(storage, narrow));
    }
  }

  private static String storageLabel(Kind.Storage storage, boolean narrow) {
    return narrow ? NARROW_LABEL : storage.label();
  }

  private static void checkRelations(
      String name,
      Optional<String> table,
      String column,
      Optional<String> created,
      List<Reference> referencedBy) {
    if (table.isEmpty() && !column.equals(COLUMN_DEFAULT)) {
      throw wrong(name, "it has a \"column\" and no \"table\": add the table of that column");
    }
    if (table.isEmpty() && created.isPresent()) {
      throw wrong(name, "it has \"created\" and no \"table\": add the table of that column");
    }
    if (table.isEmpty() && !referencedBy.isEmpty()) {
      throw wrong(name, "it has \"referenced-by\" and no \"table\": add the table referred to");
    }
    if (created.filter(column::equals).isPresent()) {
      throw wrong(
          name,
          "the column "
              + Quoted.of(column)
              + " cannot both hold the identifier and say when a row was made");
    }
    Set<Reference> seen = new HashSet<>();
    for (Reference reference : referencedBy) {
      if (!seen.add(reference)) {
        throw wrong(
            name, "the reference " + Quoted.of(reference.toString()) + " is declared twice");
      }
      if (table.filter(reference.table()::equals).isPresent()
          && reference.column().equals(column)) {
        throw wrong(
            name, "the reference " + Quoted.of(reference.toString()) + " is its own column");
      }
    }
  }

  private static void checkFindColumns(
      String name, Optional<String> table, List<String> findColumns) {
    if (table.isEmpty() && !findColumns.isEmpty()) {
      throw wrong(name, "it has \"find\" and no \"table\": add the table of its rows");
    }
    if (findColumns.size() > FIND_COLUMNS_MAX) {
      throw wrong(
          name,
          "\"find\" has %s columns: expected at most %s"
              .formatted(findColumns.size(), FIND_COLUMNS_MAX));
    }
    Set<String> seen = new HashSet<>();
    for (String shown : findColumns) {
      if (!seen.add(shown)) {
        throw wrong(name, "\"find\" has the column " + Quoted.of(shown) + " twice");
      }
    }
  }

  /** Whether the kind has such a prefix and width. */
  private static void checkText(String name, Kind kind, Optional<String> prefix, int width) {
    if (prefix.isPresent() && !kind.has(Kind.Option.PREFIX)) {
      throw wrong(name, "kind " + kind.label() + " has no prefix");
    }
    if (width != 0 && !kind.has(Kind.Option.WIDTH)) {
      throw wrong(name, "kind " + kind.label() + " has no width");
    }
    try {
      kind.checkText(new KindRow.Text(prefix.orElse(""), width, kind.isCaseSensitive()));
    } catch (IllegalArgumentException e) {
      throw wrong(name, String.valueOf(e.getMessage()));
    }
  }

  private static IllegalArgumentException wrong(String name, String why) {
    return new IllegalArgumentException("collection " + Quoted.of(name) + ": " + why);
  }

  /**
   * Collects what a collection declares. By default it is kept in a column {@code id} of no table,
   * as its kind is, and is as sensitive to case as its kind is. Not safe in several threads.
   */
  public static final class Builder {
    private final String name;
    private final Kind kind;
    private Kind.Storage storage;
    private boolean narrow;
    private Optional<String> prefix = Optional.empty();
    private int width;
    private boolean caseSensitive;
    private Optional<String> code = Optional.empty();
    private Optional<String> table = Optional.empty();
    private String column = COLUMN_DEFAULT;
    private Optional<String> created = Optional.empty();
    private List<Reference> referencedBy = List.of();
    private List<String> aliases = List.of();
    private Optional<Face> face = Optional.empty();
    private Optional<FaceChange> faceChange = Optional.empty();
    private MintDeclaration mint = MintDeclaration.NONE;
    private List<String> findColumns = List.of();

    private Builder(String name, Kind kind) {
      this.name = name;
      this.kind = kind;
      this.storage = kind.storage();
      this.caseSensitive = kind.isCaseSensitive();
    }

    public Builder storage(Kind.Storage storage) {
      this.storage = storage;
      return this;
    }

    public Builder narrow(boolean narrow) {
      this.narrow = narrow;
      return this;
    }

    /**
     * Sets the storage, and whether it is narrow, by what catalogs call it.
     *
     * @throws IllegalArgumentException if nothing is called so, in lower case; the message lists
     *     what there is
     */
    public Builder storageLabel(String label) {
      if (label.equals(NARROW_LABEL)) {
        return storage(Kind.Storage.BIGINT).narrow(true);
      }
      Kind.Storage named =
          Arrays.stream(Kind.Storage.values())
              .filter(each -> each.label().equals(label))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "unknown storage "
                              + Quoted.of(label)
                              + ": expected one of "
                              + storageLabels()));
      return storage(named).narrow(false);
    }

    private static String storageLabels() {
      return Stream.concat(
              Arrays.stream(Kind.Storage.values()).map(Kind.Storage::label),
              Stream.of(NARROW_LABEL))
          .collect(Collectors.joining(", "));
    }

    /** Sets the prefix; an empty one is none. */
    public Builder prefix(String prefix) {
      this.prefix = Optional.of(prefix).filter(text -> !text.isEmpty());
      return this;
    }

    public Builder width(int width) {
      this.width = width;
      return this;
    }

    public Builder caseSensitive(boolean caseSensitive) {
      this.caseSensitive = caseSensitive;
      return this;
    }

    public Builder code(String code) {
      this.code = Optional.of(code);
      return this;
    }

    public Builder table(String table) {
      this.table = Optional.of(table);
      return this;
    }

    public Builder column(String column) {
      this.column = column;
      return this;
    }

    public Builder created(String created) {
      this.created = Optional.of(created);
      return this;
    }

    public Builder referencedBy(List<Reference> referencedBy) {
      this.referencedBy = referencedBy;
      return this;
    }

    public Builder aliases(List<String> aliases) {
      this.aliases = aliases;
      return this;
    }

    public Builder face(Face face) {
      this.face = Optional.of(face);
      return this;
    }

    public Builder faceChange(FaceChange faceChange) {
      this.faceChange = Optional.of(faceChange);
      return this;
    }

    public Builder mint(MintDeclaration mint) {
      this.mint = mint;
      return this;
    }

    public Builder findColumns(List<String> findColumns) {
      this.findColumns = findColumns;
      return this;
    }

    /**
     * Returns the collection.
     *
     * @throws IllegalArgumentException if a name or code is malformed, an option does not go with
     *     its kind, or something is said of a table that there is none of
     */
    public CollectionSpec build() {
      return new CollectionSpec(
          name,
          kind,
          storage,
          narrow,
          prefix,
          width,
          caseSensitive,
          code,
          table,
          column,
          created,
          referencedBy,
          aliases,
          face,
          faceChange,
          mint,
          findColumns);
    }
  }
}
