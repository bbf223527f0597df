package dev.mintmark;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * How an identifier is made. One row for each kind: what it is kept as, how it is read and written,
 * what is declared of it and how it is minted. {@link IdType} is the kind with these declarations,
 * and what a program uses.
 */
public enum Kind {
  /** 48 bits of milliseconds and 80 random bits (the ULID specification). */
  ULID(
      KindRow.of(Storage.UUID, (kind, text) -> new KindType.Ulids())
          .minted(Option.ORDER, Option.SERVER)),
  /** 48 bits of milliseconds and 74 random bits (RFC 9562 section 5.7). */
  UUIDV7(
      KindRow.of(Storage.UUID, (kind, text) -> new KindType.AnyUuids(kind, Mint::ofUuidsV7))
          .declaring(Option.UUID_FACE)
          .minted(Option.ORDER, Option.SERVER)),
  /** 122 random bits (RFC 9562 section 5.4). */
  UUIDV4(
      KindRow.of(
              Storage.UUID, (kind, text) -> new KindType.AnyUuids(kind, StatelessMint::ofUuidsV4))
          .minted(Option.SERVER)),
  /** The next number of a database sequence, shown with a prefix: {@code PM000123}. */
  SEQUENCE(
      KindRow.of(Storage.BIGINT, (kind, text) -> new KindType.Sequences(text.asFormat()))
          .declaring(Option.PREFIX, Option.WIDTH, Option.NARROW)
          .mintedElsewhere(
              "kind sequence cannot be minted here: the database counts it, when a row is inserted")
          .withRemedy("declare the width that its rows have, or rewrite them")),
  /** Random characters of an alphabet. */
  NANOID(
      KindRow.of(Storage.TEXT, (kind, text) -> new OpaqueType(kind, text.caseSensitive()))
          .sensitiveToCase()
          .minted()),
  /** Milliseconds, a node number and a counter in 63 bits. */
  SNOWFLAKE(
      KindRow.of(Storage.BIGINT, (kind, text) -> new SnowflakeType(SnowflakeLayout.TWITTER))
          .minted(Option.NODE)),
  /** Milliseconds since 2020, a node number and a counter in 64 bits, in base 32. */
  TSID(KindRow.of(Storage.BIGINT, (kind, text) -> new TsidType()).minted(Option.NODE)),
  /** A UUIDv7 in base 32 after the name of its type. */
  TYPEID(
      KindRow.of(Storage.UUID, (kind, text) -> new KindType.TypeIds(text.prefix()))
          .declaring(Option.PREFIX, Option.UUID_FACE)
          .minted(Option.ORDER, Option.SERVER)),
  /** Seconds since 2014 and 128 random bits, in base 62. */
  KSUID(
      KindRow.of(Storage.TEXT, (kind, text) -> TimedTextType.ofKsuids())
          .sensitiveToCase()
          .minted()),
  /** Seconds, 40 bits of the process and a counter of 24 bits, in hexadecimal digits. */
  OBJECTID(KindRow.of(Storage.TEXT, (kind, text) -> TimedTextType.ofObjectIds()).minted()),
  /** The bits of an ObjectId in base 32. */
  XID(KindRow.of(Storage.TEXT, (kind, text) -> TimedTextType.ofXids()).minted()),
  /** An opaque text that another system made. */
  TEXT(
      KindRow.of(Storage.TEXT, (kind, text) -> new OpaqueType(kind, text.caseSensitive()))
          .declaring(Option.CASE)
          .mintedElsewhere("kind text cannot be minted: another system makes it")
          .withRemedy("declare case: sensitive, or rewrite its rows"));

  /** What a column holds. */
  public enum Storage {
    /** 16 bytes. */
    UUID,
    /** 8 bytes. */
    BIGINT,
    /** Characters. */
    TEXT;

    /** The name by which catalogs and answers call this storage: {@code bigint}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What can be declared of the identifiers of some kinds, or asked of their mints. */
  public enum Option {
    /** A collection declares the text before each identifier. */
    PREFIX,
    /** A collection declares the minimum number of digits. */
    WIDTH,
    /** A collection declares whether letter case distinguishes identifiers. */
    CASE,
    /** The column may be an integer of fewer than 8 bytes. */
    NARROW,
    /** A face of 128 bits may be a UUID, because 117 bits determine an identifier. */
    UUID_FACE,
    /** A mint has an {@link Order}. */
    ORDER,
    /** A mint requires the number of its node. */
    NODE,
    /** A function of the SQL pack or of PostgreSQL mints, as the default of a column. */
    SERVER
  }

  @SuppressWarnings("ImmutableEnumChecker") // Its function has no state.
  private final KindRow row;

  Kind(KindRow row) {
    this.row = row;
  }

  /** What a column of this kind holds unless it was declared otherwise. */
  public Storage storage() {
    return row.storage();
  }

  /** Whether identifiers of this kind have the option. */
  public boolean has(Option option) {
    return row.options().contains(option);
  }

  /**
   * Whether identifiers of this kind that differ in the case of a letter are different ones, unless
   * a collection declares its {@link Option#CASE}.
   */
  public boolean isCaseSensitive() {
    return row.caseSensitive();
  }

  /** Whether a {@link Mint} makes identifiers of this kind. A database or others make the rest. */
  public boolean isMinted() {
    return row.notMinted().isEmpty();
  }

  /** The name by which catalogs, commands and requests call this kind: {@code uuidv7}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the kind called {@code label}, in lower case.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static Kind parse(String label) {
    return tryParse(label).orElseThrow(() -> unknown(label));
  }

  /** Returns the kind called {@code label}, or empty if there is none. */
  public static Optional<Kind> tryParse(String label) {
    return Arrays.stream(values()).filter(kind -> kind.label().equals(label)).findFirst();
  }

  /**
   * The type of the identifiers of this kind, in the storage of the kind.
   *
   * @throws IllegalArgumentException if the prefix or the width is not one that the kind has
   */
  KindType<?> type(KindRow.Text text) {
    return row.factory().type(this, text);
  }

  /**
   * Checks what is declared of the text.
   *
   * @throws IllegalArgumentException as {@link #type} throws it
   */
  void checkText(KindRow.Text text) {
    var unused = type(text);
  }

  /** What to do if a column holds another text than the canonical one. */
  String remedy() {
    return row.remedy();
  }

  /**
   * Checks what is asked of a mint.
   *
   * @throws IllegalArgumentException if the kind has no such setting, or is not minted
   */
  void checkMint(MintSettings settings) {
    settings.check(this);
    if (!isMinted()) {
      throw new IllegalArgumentException(row.notMinted().orElseThrow());
    }
  }

  private static IllegalArgumentException unknown(String label) {
    return new IllegalArgumentException(
        Spelling.unknown("kind", label, Arrays.stream(values()).map(Kind::label).toList()));
  }
}
