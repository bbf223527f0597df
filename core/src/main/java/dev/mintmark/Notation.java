package dev.mintmark;

import dev.mintmark.Digits.Alphabet;
import dev.mintmark.Digits.Padding;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text notations of identifiers: a table with one row for each. A notation reads a number from
 * a text and returns which characters contain which of its bits.
 */
enum Notation {
  HYPHENATED("32 hexadecimal digits with hyphens", new HexTemplate(HexNotation.HYPHENATED)),
  PLAIN("32 hexadecimal digits", new HexTemplate(HexNotation.PLAIN)),
  BRACED("32 hexadecimal digits in braces", new HexTemplate(HexNotation.BRACED)),
  URN("32 hexadecimal digits after urn:uuid:", new HexTemplate(HexNotation.URN)),
  BASE64URL("22 digits of base64url", new Digits(Alphabet.BASE64URL, 22, 128, Padding.AFTER)),
  ULID("26 digits of Crockford's base 32", new Digits(Alphabet.CROCKFORD, 26, 128, Padding.BEFORE)),

  /** The TypeID specification 0.3: a prefix in snake case, an underscore, a suffix. */
  TYPEID(
      "a prefix in snake case and 26 digits of base 32 in lower case",
      new After(
          Pattern.compile("[a-z]([a-z_]{0,61}[a-z])?_"),
          new Digits(Alphabet.CROCKFORD_LOWER, 26, 128, Padding.BEFORE))),

  /** {@link Mask}: the name of a key and a block after the prefix of a collection. */
  MASK(
      "a prefix and 27 digits of Crockford's base 32",
      new After(PrefixOf.MASK, new Digits(Alphabet.CROCKFORD, 27, 135, Padding.BEFORE))),
  KSUID("27 digits of base 62", new Digits(Alphabet.BASE62, 27, 160, Padding.BEFORE)),

  /** All digits of a few KSUIDs are also Crockford digits: after a prefix they may be a mask. */
  PREFIXED_KSUID(
      "a prefix and 27 digits of base 62",
      new After(PrefixOf.MASK, new Digits(Alphabet.BASE62, 27, 160, Padding.BEFORE))),

  /** At least one letter, because 20 decimal digits are a number. */
  XID(
      "20 digits of base 32 hex with a letter among them",
      new WithLetter(new Digits(Alphabet.BASE32HEX, 20, 96, Padding.AFTER))),
  OBJECT_ID("24 hexadecimal digits", new Digits(Alphabet.HEX, 24, 96, Padding.BEFORE)),

  /** At least one letter, because 13 decimal digits are a number: milliseconds of today. */
  TSID(
      "13 digits of Crockford's base 32 with a letter among them",
      new WithLetter(new Digits(Alphabet.CROCKFORD, 13, 64, Padding.BEFORE))),

  /** After lower-case letters only with leading zeros: {@code order_7} may be another kind. */
  PREFIXED_NUMBER("a number after letters", new After(PrefixOf.NUMBER, Decimal.of("[0-9]{1,19}"))),
  NUMBER("a decimal number", Decimal.of("0|[1-9][0-9]{0,19}")),

  /** At most as wide as a {@link SequenceId.Format}, after any prefix of one or none. */
  PADDED_NUMBER(
      "a decimal number with leading zeros",
      new After(PrefixOf.SEQUENCE, Decimal.of("0[0-9]{1,17}"))),

  /** A number of 128 bits: with fewer digits, the first 15 bits or more would be zero. */
  LONG_NUMBER("a decimal number of 128 bits", Decimal.of("[1-9][0-9]{34,38}"));

  /** The notations in which databases and programs write 128 bits of any kind. */
  static final Set<Notation> OF_UUID = Set.of(HYPHENATED, PLAIN, BRACED, URN);

  /** Reads a number from a text. */
  interface Codec {
    /** Returns the number; empty if the text is not in this notation. */
    Optional<BigInteger> decode(String text);

    /** The characters with bits from {@code first}, inclusive, to {@code end}, exclusive. */
    Reading.Span span(String text, int first, int end);
  }

  private final String what;

  @SuppressWarnings("ImmutableEnumChecker") // Each is a record of immutable values.
  private final Codec codec;

  Notation(String what, Codec codec) {
    this.what = what;
    this.codec = codec;
  }

  /** The name of this notation, for a sentence. */
  String what() {
    return what;
  }

  /** Whether JavaScript and many JSON parsers read such a text as a number. */
  boolean isNumber() {
    return this == NUMBER || this == LONG_NUMBER;
  }

  /** Returns the number of {@code text}; empty if it is not in this notation. */
  Optional<BigInteger> decode(String text) {
    return codec.decode(text);
  }

  /** The characters of {@code text} with bits from first, inclusive, to end, exclusive. */
  Reading.Span span(String text, int first, int end) {
    return codec.span(text, first, end);
  }

  private record HexTemplate(HexNotation template) implements Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      return template.decode(text).map(uuid -> Ulid.of(uuid).toBigInteger());
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return template.span(first, end);
    }
  }

  /** A prefix that belongs to the notation of an identifier. */
  private static final class PrefixOf {
    /** {@link CollectionSpec.Face#mask()} and an underscore, in either letter case. */
    static final Pattern MASK = Pattern.compile("(?i)[a-z]([a-z0-9_]{0,61}[a-z0-9])?_");

    static final Pattern NUMBER =
        Pattern.compile("[A-Z]{1,15}[A-Z_-]?|[a-z][a-z_-]{0,14}[-_](?=0)");

    /** {@link SequenceId.Format#prefix()}. */
    static final Pattern SEQUENCE = Pattern.compile("([A-Za-z]([A-Za-z0-9_-]{0,14}[A-Za-z_-])?)?");

    private PrefixOf() {}
  }

  /** Another notation after a prefix that contains no bits. */
  private record After(Pattern prefix, Codec rest) implements Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      Matcher matcher = prefix.matcher(text);
      return matcher.lookingAt() ? rest.decode(text.substring(matcher.end())) : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      Matcher matcher = prefix.matcher(text);
      int length = matcher.lookingAt() ? matcher.end() : 0;
      return rest.span(text.substring(length), first, end).shifted(length);
    }
  }

  private record WithLetter(Codec codec) implements Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      boolean hasLetter = text.chars().anyMatch(c -> c > '9');
      return hasLetter ? codec.decode(text) : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return codec.span(text, first, end);
    }
  }

  /** A number in base 10, in which every digit depends on every bit. */
  private record Decimal(Pattern shape) implements Codec {
    static Decimal of(String shape) {
      return new Decimal(Pattern.compile(shape));
    }

    @Override
    public Optional<BigInteger> decode(String text) {
      return shape.matcher(text).matches() ? Optional.of(new BigInteger(text)) : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return new Reading.Span(0, text.length());
    }
  }
}
