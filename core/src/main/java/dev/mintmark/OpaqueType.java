package dev.mintmark;

import java.util.random.RandomGenerator;

/**
 * Characters that mean nothing to us, but for the case of ASCII letters. Collections of the kind
 * nanoid have this type, because they do not declare an alphabet.
 */
final class OpaqueType extends KindType<String> {
  private final boolean caseSensitive;

  OpaqueType(Kind kind, boolean caseSensitive) {
    super(kind, kind.label(), String.class);
    this.caseSensitive = caseSensitive;
  }

  @Override
  public String parse(String text) {
    return readAny(text);
  }

  @Override
  public String parseLoosely(String text) {
    return readAny(text);
  }

  @Override
  String readAny(String text) {
    return new ColumnValue.Text(folded(text)).value();
  }

  @Override
  public String format(String id) {
    return folded(id);
  }

  @Override
  public ColumnValue toStored(String id) {
    return new ColumnValue.Text(folded(id));
  }

  @Override
  public String fromStored(ColumnValue stored) {
    return TextType.canonical(this, stored);
  }

  /** Also of a text that is not canonical: {@link Puris#fromStored} says what to do about it. */
  @Override
  String write(ColumnValue value) {
    return folded(text(value));
  }

  @Override
  public IdType<String> asText() {
    return this;
  }

  @Override
  Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
    RandomGenerator entropy = Entropy.shared(options.entropy());
    return textMint(() -> NanoId.Format.DEFAULT.mint(entropy).toString());
  }

  private String folded(String text) {
    return caseSensitive ? text : AsciiCase.lower(text);
  }
}
