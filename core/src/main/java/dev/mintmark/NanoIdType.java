package dev.mintmark;

import java.util.random.RandomGenerator;

/** NanoIDs of one format. */
final class NanoIdType extends KindType<NanoId> {
  private final NanoId.Format format;

  NanoIdType(NanoId.Format format) {
    super(Kind.NANOID, "NanoID", NanoId.class);
    this.format = format;
  }

  @Override
  public NanoId parse(String text) {
    return format.parse(text);
  }

  @Override
  public NanoId parseLoosely(String text) {
    return format.parse(text.strip());
  }

  @Override
  NanoId readAny(String text) {
    return format.parse(text);
  }

  @Override
  public String format(NanoId id) {
    return id.toString();
  }

  @Override
  public ColumnValue toStored(NanoId id) {
    return new ColumnValue.Text(id.toString());
  }

  @Override
  public NanoId fromStored(ColumnValue stored) {
    return format.parse(text(stored));
  }

  @Override
  public IdType<NanoId> asText() {
    return this;
  }

  @Override
  Object mintKey() {
    return format;
  }

  @Override
  Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
    RandomGenerator entropy = Entropy.shared(options.entropy());
    return textMint(() -> format.mint(entropy).toString());
  }
}
