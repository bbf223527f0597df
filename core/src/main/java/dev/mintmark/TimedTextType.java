package dev.mintmark;

import java.math.BigInteger;
import java.util.Optional;
import java.util.function.Function;

/**
 * KSUIDs, ObjectIds and Xids: neither 64 nor 128 bits, so a column holds their canonical text. It
 * is text and not bytes because programs that have such identifiers already store and exchange
 * their texts. The columns need {@code collate "C"} to sort KSUIDs by time.
 */
final class TimedTextType<T> extends KindType<T> {
  private final Layout layout;
  private final Parser<T> parser;
  private final Function<T, byte[]> bytes;
  private final Function<MintOptions, Mint<T>> mints;

  /**
   * Reads a text.
   *
   * @param parse reads the canonical text
   * @param pattern a regular expression of canonical texts
   * @param foldsCase whether the canonical text is in lower case, and either case is read loosely
   */
  record Parser<T>(Function<String, T> parse, String pattern, boolean foldsCase) {
    T parseAny(String text) {
      return parse.apply(foldsCase ? AsciiCase.lower(text) : text);
    }
  }

  TimedTextType(
      Kind kind,
      Layout layout,
      Class<T> javaType,
      Parser<T> parser,
      Function<T, byte[]> bytes,
      Function<MintOptions, Mint<T>> mints) {
    super(kind, kind == Kind.KSUID ? "KSUID" : javaType.getSimpleName(), javaType);
    this.layout = layout;
    this.parser = parser;
    this.bytes = bytes;
    this.mints = mints;
  }

  static TimedTextType<Ksuid> ofKsuids() {
    return new TimedTextType<>(
        Kind.KSUID,
        SortableLayouts.KSUID,
        Ksuid.class,
        new Parser<>(Ksuid::parse, "[0-9A-Za-z]{27}", false),
        Ksuid::toBytes,
        Mint::ofKsuids);
  }

  static TimedTextType<ObjectId> ofObjectIds() {
    return new TimedTextType<>(
        Kind.OBJECTID,
        SortableLayouts.OBJECT_ID,
        ObjectId.class,
        new Parser<>(ObjectId::parse, "[0-9a-f]{24}", true),
        ObjectId::toBytes,
        Mint::ofObjectIds);
  }

  static TimedTextType<Xid> ofXids() {
    return new TimedTextType<>(
        Kind.XID,
        SortableLayouts.XID,
        Xid.class,
        new Parser<>(Xid::parse, "[0-9a-v]{19}[0g]", true),
        Xid::toBytes,
        Mint::ofXids);
  }

  @Override
  public T parse(String text) {
    return parser.parse().apply(text);
  }

  @Override
  public T parseLoosely(String text) {
    return readAny(text.strip());
  }

  @Override
  Optional<String> pattern() {
    return Optional.of(parser.pattern());
  }

  @Override
  T readAny(String text) {
    return parser.parseAny(text);
  }

  @Override
  public String format(T id) {
    return id.toString();
  }

  @Override
  public ColumnValue toStored(T id) {
    return new ColumnValue.Text(id.toString());
  }

  @Override
  public T fromStored(ColumnValue stored) {
    return TextType.canonical(this, stored);
  }

  @Override
  public IdType<T> asText() {
    return this;
  }

  @Override
  boolean isOpaque() {
    return false;
  }

  @Override
  Decoded decoded(ColumnValue stored) {
    return Decoded.of(layout, new BigInteger(1, bytes.apply(readAny(text(stored)))));
  }

  @Override
  Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
    return new MappedMint<>(mints.apply(options), this::toStored);
  }
}
