package dev.mintmark;

import dev.mintmark.Digits.Alphabet;
import dev.mintmark.Digits.Padding;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The codecs of {@link Notation}, each for several of its rows. */
final class Codecs {
  private Codecs() {}

  /** Reads no text. */
  record Nothing() implements Notation.Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      return Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      throw new IllegalStateException("no text was read");
    }
  }

  record HexTemplate(HexNotation template) implements Notation.Codec {
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
  static final class PrefixOf {
    /** {@link CollectionSpec.Face#mask()} and an underscore, in either letter case. */
    static final Pattern MASK = Pattern.compile("(?i)[a-z]([a-z0-9_]{0,61}[a-z0-9])?_");

    static final Pattern NUMBER =
        Pattern.compile("[A-Z]{1,15}[A-Z_-]?|[a-z][a-z_-]{0,14}[-_](?=0)");

    /** {@link SequenceId.Format#prefix()}. */
    static final Pattern SEQUENCE = Pattern.compile("([A-Za-z]([A-Za-z0-9_-]{0,14}[A-Za-z_-])?)?");

    private PrefixOf() {}
  }

  /** Another notation after a prefix that contains no bits. */
  record After(Pattern prefix, Notation.Codec rest) implements Notation.Codec {
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

  /** Another notation before a suffix that contains no bits, and that may be left out. */
  record Until(Pattern suffix, Notation.Codec codec) implements Notation.Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      return codec.decode(suffix.matcher(text).replaceFirst(""));
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return codec.span(suffix.matcher(text).replaceFirst(""), first, end);
    }
  }

  record WithLetter(Notation.Codec codec) implements Notation.Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      boolean hasLetter = text.chars().anyMatch(c -> c > '9');
      return hasLetter ? codec.decode(text) : Optional.empty();
    }

    @Override
    public Notation.Codec ofKnownKind() {
      return codec;
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return codec.span(text, first, end);
    }
  }

  /** A number in base 10, in which every digit depends on every bit. */
  record Decimal(Pattern shape) implements Notation.Codec {
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

    @Override
    public boolean isNumber() {
      return true;
    }
  }

  /** A text that has a pattern. */
  record Other(Pattern pattern, Notation.Codec codec) implements Notation.Codec {
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
  record Based(String prefix, Pattern shape, int radix) implements Notation.Codec {
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

  /** Base 64 that is not {@link Notation#BASE64URL}. */
  record Base64() implements Notation.Codec {
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
  record WithHyphens(Digits digits) implements Notation.Codec {
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

  /** Another notation with a check: of its check digits, for example. */
  record Checked(Notation.Codec codec, Predicate<String> check) implements Notation.Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      return codec.decode(text).filter(number -> check.test(text));
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return codec.span(text, first, end);
    }
  }

  /** Digits of several numbers, one behind the other: each group of the pattern has its own. */
  record Groups(Pattern shape, List<Digits> digits) implements Notation.Codec {
    static Groups of(String shape, Digits... digits) {
      return new Groups(Pattern.compile(shape), List.of(digits));
    }

    @Override
    public Optional<BigInteger> decode(String text) {
      Matcher matcher = shape.matcher(text);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      BigInteger number = BigInteger.ZERO;
      for (int i = 0; i < digits.size(); i++) {
        Optional<BigInteger> group = digits.get(i).decode(matcher.group(i + 1));
        if (group.isEmpty()) {
          return Optional.empty();
        }
        number = number.shiftLeft(digits.get(i).width()).or(group.get());
      }
      return Optional.of(number);
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      Matcher matcher = shape.matcher(text);
      boolean unused = matcher.matches();
      int bit = 0;
      int start = text.length();
      int last = 0;
      for (int i = 0; i < digits.size(); i++) {
        int next = bit + digits.get(i).width();
        if (first < next && end > bit) {
          start = Math.min(start, matcher.start(i + 1));
          last = matcher.end(i + 1);
        }
        bit = next;
      }
      return new Reading.Span(start, last);
    }
  }

  /** The characters of a text of a pattern, 8 bits each. */
  record Characters(Pattern shape) implements Notation.Codec {
    static Characters of(String shape) {
      return new Characters(Pattern.compile(shape));
    }

    @Override
    public Optional<BigInteger> decode(String text) {
      return shape.matcher(text).matches()
          ? Optional.of(new BigInteger(1, text.getBytes(StandardCharsets.US_ASCII)))
          : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return new Reading.Span(0, text.length());
    }
  }

  /** The characters of a text of a declared pattern, 8 bits each. */
  record Patterned(TextPattern pattern) implements Notation.Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      return pattern.matches(text)
          ? Optional.of(new BigInteger(1, text.getBytes(StandardCharsets.US_ASCII)))
          : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return new Reading.Span(0, text.length());
    }
  }

  /** The decimal digits of a text of a pattern, without what separates them. */
  record SeparatedDigits(Pattern shape) implements Notation.Codec {
    static SeparatedDigits of(String shape) {
      return new SeparatedDigits(Pattern.compile(shape));
    }

    @Override
    public Optional<BigInteger> decode(String text) {
      return shape.matcher(text).matches()
          ? Optional.of(new BigInteger(text.replaceAll("[^0-9]", "")))
          : Optional.empty();
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return new Reading.Span(0, text.length());
    }
  }

  /** 32 hexadecimal digits of 16 bytes in another order than that of RFC 9562. */
  record OtherByteOrder(List<Integer> order) implements Notation.Codec {
    private static final List<HexNotation> TEMPLATES =
        List.of(HexNotation.HYPHENATED, HexNotation.PLAIN);

    @Override
    public Optional<BigInteger> decode(String text) {
      return TEMPLATES.stream()
          .flatMap(template -> template.decode(text).stream())
          .findFirst()
          .map(uuid -> reordered(Ulid.of(uuid).toBytes()));
    }

    private BigInteger reordered(byte[] bytes) {
      byte[] ordered = new byte[bytes.length];
      for (int i = 0; i < ordered.length; i++) {
        ordered[i] = bytes[order.get(i)];
      }
      return new BigInteger(1, ordered);
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      HexNotation template =
          TEMPLATES.stream().filter(one -> one.decode(text).isPresent()).findFirst().orElseThrow();
      int start = text.length();
      int last = 0;
      for (int i = first / Byte.SIZE; i <= (end - 1) / Byte.SIZE; i++) {
        int bit = order.get(i) * Byte.SIZE;
        Reading.Span span = template.span(bit, bit + Byte.SIZE);
        start = Math.min(start, span.first());
        last = Math.max(last, span.end());
      }
      return new Reading.Span(start, last);
    }
  }

  /** An IP address, of which every bit may be in any of the characters. */
  record Address(int bits) implements Notation.Codec {
    @Override
    public Optional<BigInteger> decode(String text) {
      return CidrBlock.address(text)
          .filter(bytes -> bytes.length * Byte.SIZE == bits)
          .map(bytes -> new BigInteger(1, bytes));
    }

    @Override
    public Reading.Span span(String text, int first, int end) {
      return new Reading.Span(0, text.length());
    }
  }
}
