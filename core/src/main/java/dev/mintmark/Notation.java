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
  PAIRS("16 pairs of hexadecimal digits", new HexTemplate(HexNotation.PAIRS)),
  BRACED("32 hexadecimal digits in braces", new HexTemplate(HexNotation.BRACED)),
  URN("32 hexadecimal digits after urn:uuid:", new HexTemplate(HexNotation.URN)),
  BASE64URL("22 digits of base64url", new Digits(Alphabet.BASE64URL, 22, 128, Padding.AFTER)),
  /** RFC 4648 section 4, with or without padding; section 5 with padding. */
  BASE64("22 digits of base64 with padding or the characters + and /", new Base64()),
  ULID("26 digits of Crockford's base 32", new Digits(Alphabet.CROCKFORD, 26, 128, Padding.BEFORE)),

  /** As some people write it, in two or more groups. */
  HYPHENATED_ULID(
      "26 digits of Crockford's base 32 with hyphens",
      new WithHyphens(new Digits(Alphabet.CROCKFORD, 26, 128, Padding.BEFORE))),

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
  KSUID("27 digits of base 62", Ksuid.DIGITS),

  /** All digits of a few KSUIDs are also Crockford digits: after a prefix they may be a mask. */
  PREFIXED_KSUID("a prefix and 27 digits of base 62", new After(PrefixOf.MASK, Ksuid.DIGITS)),

  /** At least one letter, because 20 decimal digits are a number. */
  XID("20 digits of base 32 hex with a letter among them", new WithLetter(Xid.DIGITS)),
  OBJECT_ID("24 hexadecimal digits", ObjectId.DIGITS),

  /** At least one letter, because 13 decimal digits are a number: milliseconds of today. */
  TSID("13 digits of Crockford's base 32 with a letter among them", new WithLetter(Tsid.DIGITS)),

  /** After lower-case letters only with leading zeros: {@code order_7} may be another kind. */
  PREFIXED_NUMBER("a number after letters", new After(PrefixOf.NUMBER, Decimal.of("[0-9]{1,19}"))),
  NUMBER("a decimal number", Decimal.of("0|[1-9][0-9]{0,19}")),

  /** At most as wide as a {@link SequenceId.Format}, after any prefix of one or none. */
  PADDED_NUMBER(
      "a decimal number with leading zeros",
      new After(PrefixOf.SEQUENCE, Decimal.of("0[0-9]{1,17}"))),

  /** {@link NanoId.Format#DEFAULT}: not all lower case, because that is a word. */
  NANOID(
      "21 letters, digits, hyphens and underscores",
      new Other(
          Pattern.compile(".*[A-Z0-9].*"), new Digits(Alphabet.NANOID, 21, 126, Padding.BEFORE))),

  /** With as many digits at least as a {@link #LONG_NUMBER}. */
  BINARY("a binary number of 128 bits", new Based("0b", "1[01]{109,127}", 2)),
  OCTAL("an octal number of 128 bits", new Based("0o", "[1-7][0-7]{36,42}", 8)),

  /** A number of 128 bits: with fewer digits, the first 15 bits or more would be zero. */
  LONG_NUMBER("a decimal number of 128 bits", Decimal.of("[1-9][0-9]{34,38}"));

  /** The notations in which databases and programs write 128 bits of any kind. */
  static final Set<Notation> OF_UUID = Set.of(HYPHENATED, PLAIN, PAIRS, BRACED, URN);

  /** The notations of 128 bits that are seldom anything else. */
  static final Set<Notation> OF_BITS = Set.of(BASE64URL, BASE64, LONG_NUMBER, BINARY, OCTAL);

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

  /** A text that has a pattern. */
  private record Other(Pattern pattern, Codec codec) implements Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      return pattern.matcher(text).matches() ? codec.decode(text) : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return codec.span(text, first, end);
    }
  }

  /** A number in another base, in which some digits contain bits of two fields. */
  private record Based(String prefix, Pattern shape, int radix) implements Codec {
    Based(String prefix, String digits, int radix) {
      this(prefix, Pattern.compile(prefix + digits), radix);
    }

    @Override
    public Optional<BigInteger> decode(String text) {
      return shape.matcher(text).matches()
          ? Optional.of(new BigInteger(text.substring(prefix.length()), radix))
              .filter(number -> number.bitLength() <= 128)
          : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return new Reading.Span(prefix.length(), text.length());
    }
  }

  /** Base 64 that is not {@link #BASE64URL}. */
  private record Base64() implements Codec {
    private static final String PADDING = "==";
    private static final Digits DIGITS = new Digits(Alphabet.BASE64URL, 22, 128, Padding.AFTER);

    @Override
    public Optional<BigInteger> decode(String text) {
      boolean isPadded = text.endsWith(PADDING);
      String digits = isPadded ? text.substring(0, text.length() - PADDING.length()) : text;
      boolean isStandard = digits.indexOf('+') >= 0 || digits.indexOf('/') >= 0;
      boolean isUrl = digits.indexOf('-') >= 0 || digits.indexOf('_') >= 0;
      return (isPadded || isStandard) && !(isStandard && isUrl)
          ? DIGITS.decode(digits.replace('+', '-').replace('/', '_'))
          : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return DIGITS.span(text, first, end);
    }
  }

  /** Digits in groups, with single hyphens between them. */
  private record WithHyphens(Digits digits) implements Codec {
    private static final Pattern GROUPS = Pattern.compile("[^-]+(-[^-]+)+");

    @Override
    public Optional<BigInteger> decode(String text) {
      return GROUPS.matcher(text).matches()
          ? digits.decode(text.replace("-", ""))
          : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      Reading.Span span = digits.span(text, first, end);
      return new Reading.Span(indexOf(text, span.first()), indexOf(text, span.end() - 1) + 1);
    }

    /** The index of a digit, which is counted without hyphens. */
    private static int indexOf(String text, int digit) {
      int at = 0;
      for (int left = digit; left > 0 || text.charAt(at) == '-'; at++) {
        if (text.charAt(at) != '-') {
          left--;
        }
      }
      return at;
    }
  }
}
