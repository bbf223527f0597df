package dev.mintmark;

import java.math.BigInteger;
import java.util.Optional;

/** TSIDs: 64 bits in a column of bigint, which takes them for a signed number. */
final class TsidType extends KindType<Tsid> {
  /** A decimal number of fewer digits could be the text of another TSID. */
  private static final int DECIMAL_DIGITS_MIN = Tsid.DIGITS.length() + 1;

  TsidType() {
    super(Kind.TSID, "TSID", Tsid.class);
  }

  @Override
  public Tsid parse(String text) {
    return Tsid.parse(text);
  }

  @Override
  public Tsid parseLoosely(String text) {
    return decimal(text.strip()).orElseGet(() -> Tsid.parseLoosely(text));
  }

  /** Reads the number that a column shows, if it cannot be the 13 characters of a TSID. */
  private static Optional<Tsid> decimal(String text) {
    return text.length() >= DECIMAL_DIGITS_MIN
        ? Snowflake.tryParse(text).map(number -> Tsid.of(number.toLong()))
        : Optional.empty();
  }

  @Override
  Optional<String> pattern() {
    return Optional.of("[0-9A-F][0-9A-HJKMNP-TV-Z]{12}");
  }

  @Override
  Tsid readAny(String text) {
    return Tsid.parse(text);
  }

  @Override
  public String format(Tsid id) {
    return id.toString();
  }

  @Override
  public ColumnValue toStored(Tsid id) {
    return new ColumnValue.Bigint(id.toLong());
  }

  @Override
  public Tsid fromStored(ColumnValue stored) {
    return Tsid.of(number(stored));
  }

  @Override
  Decoded decoded(ColumnValue stored) {
    return Decoded.of(SortableLayouts.TSID, new BigInteger(Long.toUnsignedString(number(stored))));
  }

  @Override
  Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
    return new MappedMint<>(
        SnowflakeMint.of(Kind.TSID, SnowflakeLayout.TSID, settings, options),
        id -> new ColumnValue.Bigint(id.toLong()));
  }
}
