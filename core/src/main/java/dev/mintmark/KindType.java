package dev.mintmark;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The type of the identifiers of a kind, in the storage of the kind. The one place that knows which
 * texts stand for which value, and which of them is the canonical one.
 *
 * <p>{@link #readAny} forgives what cannot name another identifier: letter case if the kind has
 * none, another text of the same 128 bits, zeros before the number of a sequence. So a pURI is
 * still read after its collection has changed its width.
 */
abstract sealed class KindType<T> extends IdType<T>
    permits KindType.Ulids,
        KindType.AnyUuids,
        KindType.TypeIds,
        KindType.Sequences,
        SnowflakeType,
        TsidType,
        TimedTextType,
        NanoIdType,
        OpaqueType {
  /** The number that a column shows. */
  static final SequenceId.Format PLAIN_NUMBER = new SequenceId.Format("", 0);

  private final Kind kind;
  private final String name;
  private final Class<T> javaType;

  KindType(Kind kind, String name, Class<T> javaType) {
    this.kind = kind;
    this.name = name;
    this.javaType = javaType;
  }

  /** Makes a mint of UUIDs in an order. */
  @FunctionalInterface
  interface UuidMints {
    Mint<UUID> of(Order order, MintOptions options);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Kind kind() {
    return kind;
  }

  @Override
  public final Kind.Storage storage() {
    return kind.storage();
  }

  @Override
  public final Class<T> javaType() {
    return javaType;
  }

  /**
   * Reads every text of an identifier, but no white space and none of the mistakes that people
   * make.
   *
   * @throws MalformedIdException if it is not of this type
   */
  abstract T readAny(String text);

  /** What {@link #textPattern} returns; empty if the texts have no common form. */
  Optional<String> pattern() {
    return Optional.empty();
  }

  /** Reads what {@link #readAny} reads, as the value that a column of the kind holds. */
  final ColumnValue read(String text) {
    return toStored(readAny(text));
  }

  /**
   * Writes the canonical text of a value that a column of the kind holds.
   *
   * @throws MalformedIdException if no identifier has it: a number of a sequence below zero
   */
  String write(ColumnValue value) {
    return format(fromStored(value));
  }

  /** Reads what {@link #writeCompact} writes. */
  ColumnValue readCompact(String text) {
    return kind.storage() == Kind.Storage.UUID
        ? new ColumnValue.Uuid(Base64Url.read(text).toUuid())
        : read(text);
  }

  /** Writes a value for a compact pURI: 128 bits as 22 characters. */
  String writeCompact(ColumnValue value) {
    return kind.storage() == Kind.Storage.UUID
        ? Base64Url.write(Ulid.of(uuid(value)))
        : write(value);
  }

  /** What {@link #compactTextPattern} returns; empty if the texts have no common form. */
  Optional<String> compactPattern() {
    return kind.storage() == Kind.Storage.UUID ? Optional.of(Base64Url.PATTERN) : pattern();
  }

  /** What the 128 bits of these identifiers are taken for; empty if they do not have 128. */
  Optional<BitsRule> bitsRule() {
    return Optional.empty();
  }

  /**
   * Decodes a value that a column of the kind holds.
   *
   * @throws IllegalArgumentException if it is an opaque text
   */
  Decoded decoded(ColumnValue stored) {
    UUID uuid = uuid(stored);
    return Decoded.of(
        bitsRule()
            .orElseThrow()
            .layout(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits(), 0),
        Ulid.of(uuid));
  }

  /** Whether the text means nothing to us, so that there is neither a time nor another form. */
  boolean isOpaque() {
    return kind.storage() == Kind.Storage.TEXT;
  }

  /** The time in an identifier that a column of the kind or of text holds, if it carries one. */
  final Optional<Instant> timeOfStored(ColumnValue stored) {
    if (isOpaque()) {
      return Optional.empty();
    }
    boolean isOfKind = stored.storage() == kind.storage();
    return decoded(isOfKind ? stored : read(stored.toString())).time();
  }

  /** Types with equal keys share a mint in a {@link MintCache}. */
  Object mintKey() {
    return kind;
  }

  /**
   * Makes a new mint.
   *
   * @throws IllegalArgumentException if the kind is not minted, has no such setting or requires one
   *     that is missing
   */
  final Mint<ColumnValue> newMint(MintSettings settings, MintOptions options) {
    kind.checkMint(settings);
    return mintOf(settings, options);
  }

  /** Makes a new mint, with settings that the kind has. */
  abstract Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options);

  @Override
  final KindType<T> kindType() {
    return this;
  }

  @Override
  final Mint<T> mint(MintSource source) {
    return new MappedMint<>(source.of(this), this::fromStored);
  }

  /** ULIDs. */
  static final class Ulids extends KindType<Ulid> {
    Ulids() {
      super(Kind.ULID, "ULID", Ulid.class);
    }

    @Override
    public Ulid parse(String text) {
      return Ulid.parse(text);
    }

    @Override
    public Ulid parseLoosely(String text) {
      return Ulid.of(looseUuid(text).orElseGet(() -> readAny(text).toUuid()));
    }

    @Override
    Optional<String> pattern() {
      return Optional.of("[0-7][0-9A-HJKMNP-TV-Z]{25}");
    }

    @Override
    Ulid readAny(String text) {
      return Ulid.of(anyUuid(text));
    }

    @Override
    public String format(Ulid id) {
      return id.toString();
    }

    @Override
    public ColumnValue toStored(Ulid id) {
      return new ColumnValue.Uuid(id.toUuid());
    }

    @Override
    public Ulid fromStored(ColumnValue stored) {
      return Ulid.of(uuid(stored));
    }

    @Override
    public Optional<Transcoder> transcoder(Optional<Form> from) {
      return Optional.of(transcoderTo(from, Form.TEXT));
    }

    @Override
    Optional<BitsRule> bitsRule() {
      return Optional.of(BitsRule.ULID);
    }

    @Override
    Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
      return new MappedMint<>(
          DefaultOrderMint.of(settings, options, Mint::ofUlids), this::toStored);
    }
  }

  /** UUIDs. Those of every version are read. */
  static final class AnyUuids extends KindType<UUID> {
    private final UuidMints mints;

    AnyUuids(Kind kind, UuidMints mints) {
      super(kind, "UUID", UUID.class);
      this.mints = mints;
    }

    @Override
    public UUID parse(String text) {
      return Uuids.parse(text);
    }

    @Override
    public UUID parseLoosely(String text) {
      return looseUuid(text).orElseGet(() -> readAny(text));
    }

    @Override
    Optional<String> pattern() {
      return Optional.of("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }

    @Override
    UUID readAny(String text) {
      return anyUuid(text);
    }

    @Override
    public String format(UUID id) {
      return id.toString();
    }

    @Override
    public ColumnValue toStored(UUID id) {
      return new ColumnValue.Uuid(id);
    }

    @Override
    public UUID fromStored(ColumnValue stored) {
      return uuid(stored);
    }

    @Override
    public Optional<Transcoder> transcoder(Optional<Form> from) {
      return Optional.of(transcoderTo(from, Form.UUID));
    }

    @Override
    Optional<BitsRule> bitsRule() {
      return Optional.of(BitsRule.UUID);
    }

    @Override
    Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
      return new MappedMint<>(
          DefaultOrderMint.of(settings, options, mints::of), ColumnValue.Uuid::new);
    }
  }

  /** TypeIDs of one type. The column does not hold the prefix. */
  static final class TypeIds extends KindType<TypeId> {
    private final String prefix;

    TypeIds(String prefix) {
      super(Kind.TYPEID, "TypeID", TypeId.class);
      this.prefix = TypeId.checkPrefix(prefix);
    }

    @Override
    public TypeId parse(String text) {
      return TypeId.parse(prefix, text);
    }

    @Override
    public TypeId parseLoosely(String text) {
      return looseUuid(text)
          .map(uuid -> TypeId.of(prefix, uuid))
          .orElseGet(() -> readAny(text.strip()));
    }

    @Override
    Optional<String> pattern() {
      return Optional.of(textPrefix() + "[0-7][0-9a-hjkmnp-tv-z]{25}");
    }

    @Override
    TypeId readAny(String text) {
      return text.indexOf('_') >= 0
          ? TypeId.parse(prefix, AsciiCase.lower(text))
          : TypeId.of(prefix, anyUuid(text));
    }

    @Override
    public String format(TypeId id) {
      return checked(id).toString();
    }

    @Override
    public ColumnValue toStored(TypeId id) {
      return new ColumnValue.Uuid(checked(id).uuid());
    }

    @Override
    public TypeId fromStored(ColumnValue stored) {
      return TypeId.of(prefix, uuid(stored));
    }

    @Override
    public Optional<Transcoder> transcoder(Optional<Form> from) {
      return Optional.of(transcoderTo(from, Form.LOWER).withPrefix(textPrefix()));
    }

    @Override
    Optional<BitsRule> bitsRule() {
      return Optional.of(BitsRule.UUID);
    }

    @Override
    Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
      return new MappedMint<>(
          DefaultOrderMint.of(settings, options, Mint::ofUuidsV7), ColumnValue.Uuid::new);
    }

    @Override
    public String textPrefix() {
      return prefix.isEmpty() ? "" : prefix + "_";
    }

    private TypeId checked(TypeId id) {
      return checkPrefix(id, id.prefix(), prefix);
    }
  }

  /** Numbers of one sequence. The column holds neither prefix nor width. */
  static final class Sequences extends KindType<SequenceId> {
    private final SequenceId.Format format;

    Sequences(SequenceId.Format format) {
      super(Kind.SEQUENCE, "sequence id", SequenceId.class);
      this.format = format;
    }

    @Override
    public SequenceId parse(String text) {
      return format.parse(text);
    }

    @Override
    public SequenceId parseLoosely(String text) {
      return tried(PLAIN_NUMBER::parseLoosely, text)
          .map(plain -> format.of(plain.number()))
          .orElseGet(() -> format.parseLoosely(text));
    }

    @Override
    Optional<String> pattern() {
      int width = Math.max(format.width(), 1);
      return Optional.of("%s(?:[0-9]{%s}|[1-9][0-9]{%s,18})".formatted(textPrefix(), width, width));
    }

    @Override
    SequenceId readAny(String text) {
      return format.parsePadded(text);
    }

    @Override
    public String format(SequenceId id) {
      return format.of(checked(id).number()).toString();
    }

    @Override
    public ColumnValue toStored(SequenceId id) {
      return new ColumnValue.Bigint(checked(id).number());
    }

    @Override
    public SequenceId fromStored(ColumnValue stored) {
      long number = number(stored);
      try {
        return format.of(number);
      } catch (IllegalArgumentException e) {
        throw new MalformedIdException(String.valueOf(e.getMessage()));
      }
    }

    @Override
    String write(ColumnValue value) {
      long number = number(value);
      if (number < 0) {
        throw new MalformedIdException(
            "malformed sequence id: its number is " + number + ": expected 0 to " + Long.MAX_VALUE);
      }
      return super.write(value);
    }

    @Override
    ColumnValue readCompact(String text) {
      return new ColumnValue.Bigint(PLAIN_NUMBER.parsePadded(text).number());
    }

    @Override
    String writeCompact(ColumnValue value) {
      return Long.toString(fromStored(value).number());
    }

    @Override
    Optional<String> compactPattern() {
      return new Sequences(PLAIN_NUMBER).pattern();
    }

    @Override
    Decoded decoded(ColumnValue stored) {
      return Decoded.of(NumberLayouts.SEQUENCE, BigInteger.valueOf(number(stored)));
    }

    @Override
    Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
      throw new IllegalStateException("a database counts sequences");
    }

    @Override
    public String textPrefix() {
      return format.prefix();
    }

    private SequenceId checked(SequenceId id) {
      return checkPrefix(id, id.prefix(), format.prefix());
    }
  }

  /** A UUID as people type it, or the ULID of the same bits; empty if it is neither. */
  private static Optional<UUID> looseUuid(String text) {
    return tried(Ulid::parseLoosely, text)
        .map(Ulid::toUuid)
        .or(() -> tried(Uuids::parseLoosely, text));
  }

  /** 128 bits, which have the texts of a ULID and of a UUID, the latter also without hyphens. */
  private static UUID anyUuid(String text) {
    return switch (text.length()) {
      case 26 -> Ulid.parse(text).toUuid();
      case 32 -> HexNotation.PLAIN.parse(text);
      case 36 -> Uuids.parse(text);
      default ->
          throw Malformed.because(
              "identifier",
              text,
              "it has "
                  + text.length()
                  + " characters: expected 26 of a ULID, or 36 or 32 of a UUID");
    };
  }

  static <V> Optional<V> tried(Function<String, V> parser, String text) {
    try {
      return Optional.of(parser.apply(text));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  /** The transcoder of identifiers of 128 bits. */
  private static Transcoder transcoderTo(Optional<Form> from, Form to) {
    return from.map(form -> Transcoder.of(form, to)).orElseGet(() -> Transcoder.to(to));
  }

  static Mint<ColumnValue> textMint(Supplier<String> supplier) {
    return new StatelessMint<>(() -> new ColumnValue.Text(supplier.get()));
  }

  final UUID uuid(ColumnValue stored) {
    if (stored instanceof ColumnValue.Uuid uuid) {
      return uuid.value();
    }
    throw otherStorage(stored);
  }

  final long number(ColumnValue stored) {
    if (stored instanceof ColumnValue.Bigint number) {
      return number.value();
    }
    throw otherStorage(stored);
  }

  final String text(ColumnValue stored) {
    if (stored instanceof ColumnValue.Text text) {
      return text.value();
    }
    throw otherStorage(stored);
  }

  private IllegalArgumentException otherStorage(ColumnValue stored) {
    return new IllegalArgumentException(
        "%s is kept as %s: found %s of %s"
            .formatted(
                name, storage().label(), Quoted.of(stored.toString()), stored.storage().label()));
  }

  final <V> V checkPrefix(V id, String found, String expected) {
    if (!found.equals(expected)) {
      throw new MalformedIdException(
          "malformed %s %s: expected prefix %s, found %s"
              .formatted(name, Quoted.of(id.toString()), Quoted.of(expected), Quoted.of(found)));
    }
    return id;
  }
}
