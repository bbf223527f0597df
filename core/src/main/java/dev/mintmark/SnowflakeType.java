package dev.mintmark;

import java.math.BigInteger;
import java.util.Optional;

/**
 * Snowflakes: 64 bits as a decimal number. The column takes them for a signed number: one past
 * 2^63-1 comes back as it was, but sorts before all others.
 */
final class SnowflakeType extends KindType<Snowflake> {
  private final SnowflakeLayout layout;

  SnowflakeType(SnowflakeLayout layout) {
    super(Kind.SNOWFLAKE, "Snowflake", Snowflake.class);
    this.layout = layout;
  }

  @Override
  public Snowflake parse(String text) {
    return Snowflake.parse(text);
  }

  @Override
  public Snowflake parseLoosely(String text) {
    return tried(PLAIN_NUMBER::parseLoosely, text)
        .map(plain -> Snowflake.of(plain.number()))
        .orElseGet(() -> Snowflake.parse(text.strip()));
  }

  @Override
  Optional<String> pattern() {
    return Optional.of("(?:0|[1-9][0-9]{0,19})");
  }

  @Override
  Snowflake readAny(String text) {
    return Snowflake.parse(text);
  }

  @Override
  public String format(Snowflake id) {
    return id.toString();
  }

  @Override
  public ColumnValue toStored(Snowflake id) {
    return new ColumnValue.Bigint(id.toLong());
  }

  @Override
  public Snowflake fromStored(ColumnValue stored) {
    return Snowflake.of(number(stored));
  }

  @Override
  Object mintKey() {
    return layout;
  }

  @Override
  Decoded decoded(ColumnValue stored) {
    Snowflake id = fromStored(stored);
    return Decoded.of(NumberLayouts.SNOWFLAKE_TWITTER, new BigInteger(id.toString()))
        .withTime(id.time(layout));
  }

  @Override
  Mint<ColumnValue> mintOf(MintSettings settings, MintOptions options) {
    return new MappedMint<>(
        SnowflakeMint.of(Kind.SNOWFLAKE, layout, settings, options), this::toStored);
  }
}
