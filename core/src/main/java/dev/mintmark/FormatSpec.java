package dev.mintmark;

import dev.mintmark.Digits.Alphabet;
import dev.mintmark.Digits.Padding;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A format of identifiers that a catalog declares, so that {@link Inspector} and {@link IdScanner}
 * recognize it beside the built-in ones. Immutable.
 *
 * <pre>{@code
 * new FormatSpec("shop-order", new FormatSpec.Shape("SO-[0-9a-z]{12}"));
 * new FormatSpec("acme-flake", FormatSpec.Bits.snowflake(Instant.parse("2020-05-01T00:00:00Z"), 10, 12));
 * }</pre>
 *
 * @param name the kind of its readings; none of a built-in format
 * @param content what an identifier contains
 */
public record FormatSpec(String name, Content content) {
  /** The most fields of a format. */
  public static final int FIELDS_MAX = 32;

  /** The most bits of a format. */
  public static final int BITS_MAX = 256;

  /** The longest prefix, in characters. */
  public static final int PREFIX_LENGTH_MAX = 32;

  private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,31}");
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._~:/-]{0,31}");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if it is malformed or that of a built-in format
   */
  public FormatSpec {
    CatalogName.check("format", name);
    if (Layouts.isKind(name)) {
      throw new IllegalArgumentException(
          "format %s: a built-in format has this name: choose another, such as %s"
              .formatted(Quoted.of(name), Quoted.of("our-" + name)));
    }
  }

  /** What an identifier of the format contains. */
  public sealed interface Content permits Shape, Bits {}

  /**
   * Characters without a known meaning.
   *
   * @param pattern the characters of the whole text: letters, digits, classes such as {@code
   *     [0-9a-z]}, and counts such as {@code {12}}. There are no groups, alternatives and unlimited
   *     repetitions, so that a text is matched in linear time.
   */
  public record Shape(String pattern) implements Content {
    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public Shape {
      TextPattern.parse(pattern);
    }
  }

  /**
   * Fields of bits, written as a number.
   *
   * @param fields from the most significant to the least significant; one at most is a time
   * @param time what the time counts; present if there is a field with a time
   * @param notation how the bits are written
   * @param prefix the characters before them; usually empty
   * @param length the number of digits; if it is absent, as many as all bits take, and for decimal
   *     numbers those without leading zeros
   */
  public record Bits(
      List<Field> fields,
      Optional<TimeRange> time,
      DigitNotation notation,
      String prefix,
      OptionalInt length)
      implements Content {
    /**
     * Checks the fields together.
     *
     * @throws IllegalArgumentException if they cannot be a format
     */
    public Bits {
      fields = List.copyOf(fields);
      checkFields(fields);
      checkTime(fields, time);
      int width = width(fields);
      if (notation == DigitNotation.UUID && width != 128) {
        throw new IllegalArgumentException(
            "the fields have %s bits: expected 128 for the notation uuid".formatted(width));
      }
      if (!prefix.isEmpty() && !PREFIX.matcher(prefix).matches()) {
        throw new IllegalArgumentException(
            "malformed prefix %s: expected 1 to %s of A-Z, a-z, 0-9 and \"._~:/-\", starting with a letter or a digit"
                .formatted(Quoted.of(prefix), PREFIX_LENGTH_MAX));
      }
      if (length.isPresent()) {
        checkLength(length.getAsInt(), width, notation);
      }
    }

    /**
     * Returns a Snowflake of 64 bits in decimal digits: a sign that is 0, milliseconds, the number
     * of a node, and a counter within the millisecond.
     *
     * @throws IllegalArgumentException if the numbers of bits leave fewer than 32 for the time
     */
    public static Bits snowflake(Instant epoch, int nodeBits, int sequenceBits) {
      int rest = Long.SIZE - 1 - nodeBits - sequenceBits;
      if (nodeBits < 1 || sequenceBits < 1 || rest < Integer.SIZE) {
        throw new IllegalArgumentException(
            "a Snowflake with %s bits of the node and %s of the sequence: expected 1 or more each, and 31 at most together"
                .formatted(nodeBits, sequenceBits));
      }
      return new Bits(
          List.of(
              Field.fixed(1, "sign", BigInteger.ZERO),
              Field.time(rest, "timestamp", Unit.MILLIS),
              Field.of(nodeBits, "node", Type.NODE),
              Field.of(sequenceBits, "sequence", Type.COUNTER)),
          Optional.of(TimeRange.from(epoch)),
          DigitNotation.DECIMAL,
          "",
          OptionalInt.empty());
    }

    /** The number of bits. */
    public int width() {
      return width(fields);
    }

    /** Returns this with identifiers made in another range of times. */
    public Bits withTime(TimeRange range) {
      return new Bits(fields, Optional.of(range), notation, prefix, length);
    }

    /** Returns this with another text. */
    public Bits withText(DigitNotation another, String prefix, OptionalInt length) {
      return new Bits(fields, time, another, prefix, length);
    }

    private static int width(List<Field> fields) {
      return fields.stream().mapToInt(Field::bits).sum();
    }

    private static void checkFields(List<Field> fields) {
      if (fields.isEmpty() || fields.size() > FIELDS_MAX) {
        throw new IllegalArgumentException(
            "%s fields: expected 1 to %s".formatted(fields.size(), FIELDS_MAX));
      }
      Set<String> names = new HashSet<>();
      for (Field field : fields) {
        if (!names.add(field.name)) {
          throw new IllegalArgumentException(
              "the field %s is declared twice".formatted(Quoted.of(field.name)));
        }
      }
      if (width(fields) > BITS_MAX) {
        throw new IllegalArgumentException(
            "the fields have %s bits: expected at most %s".formatted(width(fields), BITS_MAX));
      }
    }

    private static void checkTime(List<Field> fields, Optional<TimeRange> time) {
      List<Field> times = fields.stream().filter(field -> field.unit.isPresent()).toList();
      if (times.size() > 1) {
        throw new IllegalArgumentException(
            "the fields %s and %s have a unit: expected one time at most"
                .formatted(Quoted.of(times.get(0).name), Quoted.of(times.get(1).name)));
      }
      if (times.isEmpty() == time.isPresent()) {
        throw new IllegalArgumentException(
            times.isEmpty()
                ? "it has an epoch and no time: expected a field with a unit"
                : "the field %s has a unit: expected an epoch, as in 2020-05-01T00:00:00Z"
                    .formatted(Quoted.of(times.get(0).name)));
      }
      if (time.isPresent()) {
        checkLast(times.get(0), time.get());
      }
    }

    private static void checkLast(Field field, TimeRange time) {
      Unit unit = field.unit.orElseThrow();
      try {
        Instant unused =
            unit.scale(time).at(Slot.ones(field.bits).multiply(BigInteger.valueOf(unit.count)));
      } catch (ArithmeticException | DateTimeException e) {
        throw new IllegalArgumentException(
            "the field %s of %s bits in %s ends after the year 1000000000: expected fewer bits or a smaller unit"
                .formatted(Quoted.of(field.name), field.bits, unit),
            e);
      }
    }

    private static void checkLength(int length, int width, DigitNotation notation) {
      if (notation == DigitNotation.UUID) {
        throw new IllegalArgumentException(
            "a length, which the notation uuid has itself: remove it");
      }
      int needed = notation.digits(width);
      if (length < needed || length > Inspector.LENGTH_MAX - PREFIX_LENGTH_MAX) {
        throw new IllegalArgumentException(
            "length is %s: expected %s to %s, because %s bits take %s digits of %s"
                .formatted(
                    length,
                    needed,
                    Inspector.LENGTH_MAX - PREFIX_LENGTH_MAX,
                    width,
                    needed,
                    notation.label()));
      }
    }

    /** Reads the digits, without the prefix. */
    private Notation.Codec digits() {
      int width = width();
      int digits = length.orElse(notation.digits(width));
      return switch (notation) {
        case UUID -> new Codecs.HexTemplate(HexNotation.HYPHENATED);
        case DECIMAL ->
            Codecs.Decimal.of(
                length.isPresent()
                    ? "[0-9]{" + digits + "}"
                    : "0|[1-9][0-9]{0," + (digits - 1) + "}");
        default -> new Digits(notation.alphabet(), digits, width, notation.padding);
      };
    }

    /** Reads the whole text. */
    Notation.Codec codec() {
      return prefix.isEmpty()
          ? digits()
          : new Codecs.After(Pattern.compile(Pattern.quote(prefix)), digits());
    }

    /** The text in words. */
    String what() {
      int digits = length.orElse(notation.digits(width()));
      String what =
          switch (notation) {
            case UUID -> Notation.HYPHENATED.what();
            case DECIMAL ->
                length.isPresent() ? digits + " decimal digits" : Notation.NUMBER.what();
            default -> digits + " digits of " + notation.label();
          };
      return prefix.isEmpty() ? what : prefix + " and " + what;
    }

    Timescale scale() {
      return fields.stream()
          .flatMap(field -> field.unit.stream())
          .findFirst()
          .map(unit -> unit.scale(time.orElseThrow()))
          .orElse(Timescale.NONE);
    }

    List<Slot> slots() {
      return fields.stream().map(field -> field.slot(time)).toList();
    }
  }

  /** What the number of a field is. */
  public enum Type {
    COUNTER("counter", "counted up"),
    NODE("node", "number of the node that made it"),
    RANDOM("random", ""),
    NUMBER("number", "a number");

    private final String label;
    private final String meaning;

    Type(String label, String meaning) {
      this.label = label;
      this.meaning = meaning;
    }

    /** The name in a catalog. */
    public String label() {
      return label;
    }

    /**
     * Returns the type with that label.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Type parse(String label) {
      return Arrays.stream(values())
          .filter(type -> type.label.equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "expected counter, node, random or number, found "
                          + Quoted.of(label)
                          + ": a time has a unit, a fixed field a value"));
    }
  }

  /**
   * A field.
   *
   * @param bits its number of bits
   * @param name its name in readings
   * @param type what its number is; {@link Type#NUMBER} for a time and a fixed number
   * @param unit the unit, if it is a time
   * @param value the number that it has in every identifier, if it is fixed
   */
  public record Field(
      int bits, String name, Type type, Optional<Unit> unit, Optional<BigInteger> value) {
    /**
     * Checks the field.
     *
     * @throws IllegalArgumentException if its name, its bits or its value are out of range
     */
    public Field {
      if (!FIELD_NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "malformed field name %s: expected 1 to 32 of A-Z, a-z, 0-9, '-' and '_', starting with a letter"
                .formatted(Quoted.of(name)));
      }
      if (bits < 1 || bits > BITS_MAX) {
        throw new IllegalArgumentException(
            "the field %s has %s bits: expected 1 to %s"
                .formatted(Quoted.of(name), bits, BITS_MAX));
      }
      if (value.isPresent() && (value.get().signum() < 0 || value.get().bitLength() > bits)) {
        throw new IllegalArgumentException(
            "the field %s has the value %s: expected a number from 0 that fits its %s bits"
                .formatted(Quoted.of(name), value.get(), bits));
      }
      if ((unit.isPresent() && value.isPresent())
          || (type != Type.NUMBER && (unit.isPresent() || value.isPresent()))) {
        throw new IllegalArgumentException(
            "the field %s: expected at most one of type, unit and value"
                .formatted(Quoted.of(name)));
      }
    }

    /** Returns a time, counted in a unit. */
    public static Field time(int bits, String name, Unit unit) {
      return new Field(bits, name, Type.NUMBER, Optional.of(unit), Optional.empty());
    }

    /** Returns a field with the same number in every identifier. */
    public static Field fixed(int bits, String name, BigInteger value) {
      return new Field(bits, name, Type.NUMBER, Optional.empty(), Optional.of(value));
    }

    /** Returns a field that is neither a time nor fixed. */
    public static Field of(int bits, String name, Type type) {
      return new Field(bits, name, type, Optional.empty(), Optional.empty());
    }

    private Slot slot(Optional<TimeRange> time) {
      if (unit.isPresent()) {
        String meaning = unit.get().what() + " since " + time.orElseThrow().epoch;
        return Slot.ticks(bits, name, unit.get().count, meaning);
      }
      if (value.isPresent()) {
        return Slot.fixed(bits, name, value.get(), "always " + value.get());
      }
      return type == Type.RANDOM ? Slot.random(bits, name) : Slot.plain(bits, name, type.meaning);
    }
  }

  /**
   * The unit in which a time is counted: {@code ms}, or several of one, as in {@code 10ms}.
   *
   * @param count how many of the base unit, from 1 to {@value #COUNT_MAX}
   * @param base the base unit
   */
  public record Unit(int count, Base base) {
    /** The most of a base unit. */
    public static final int COUNT_MAX = 1_000_000;

    static final Unit MILLIS = new Unit(1, Base.MS);

    private static final Pattern UNIT = Pattern.compile("([1-9][0-9]{0,6})?(s|ms|us|ns)");

    /** A unit of SI. */
    public enum Base {
      S("seconds", 1),
      MS("milliseconds", 1_000),
      US("microseconds", 1_000_000),
      NS("nanoseconds", 1_000_000_000);

      private final String what;
      private final long perSecond;

      Base(String what, long perSecond) {
        this.what = what;
        this.perSecond = perSecond;
      }
    }

    public Unit {
      if (count < 1 || count > COUNT_MAX) {
        throw new IllegalArgumentException(
            "unit of %s: expected 1 to %s".formatted(count, COUNT_MAX));
      }
    }

    /**
     * Reads {@code s}, {@code ms}, {@code us} or {@code ns}, or a number and one of them.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static Unit parse(String text) {
      Matcher matcher = UNIT.matcher(text);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "malformed unit %s: expected s, ms, us or ns, or several, as in 10ms"
                .formatted(Quoted.of(text)));
      }
      String count = matcher.group(1);
      return new Unit(
          count == null ? 1 : Integer.parseInt(count),
          Base.valueOf(matcher.group(2).toUpperCase(Locale.ROOT)));
    }

    private String what() {
      return count == 1 ? base.what : "units of " + count + " " + base.what;
    }

    private Timescale scale(TimeRange time) {
      return new Timescale(time.epoch, base.perSecond, time.since, time.until.orElse(Instant.MAX));
    }

    @Override
    public String toString() {
      return (count == 1 ? "" : count) + AsciiCase.lower(base.name());
    }
  }

  /**
   * What the time of a format counts, and when identifiers were made. Readings with another time
   * are less likely, or are not returned if the text has no prefix.
   *
   * @param epoch the start of the count
   * @param since the earliest time of an identifier
   * @param until the latest, if none is made any more; otherwise it is one day from now
   */
  public record TimeRange(Instant epoch, Instant since, Optional<Instant> until) {
    /**
     * Checks the order.
     *
     * @throws IllegalArgumentException if the last identifier is before the first
     */
    public TimeRange {
      if (until.isPresent() && !until.get().isAfter(since)) {
        throw new IllegalArgumentException(
            "until is %s: expected a time after %s, the first identifier"
                .formatted(until.get(), since));
      }
    }

    /** Returns the range of identifiers that have been made since the epoch. */
    public static TimeRange from(Instant epoch) {
      return new TimeRange(epoch, epoch, Optional.empty());
    }
  }

  /** How bits are written. Each is one of the notations of the built-in formats. */
  public enum DigitNotation {
    /** Without leading zeros, unless the number of digits is fixed. */
    DECIMAL("decimal"),
    /** In either letter case. */
    HEX("hex", Alphabet.HEX, Padding.BEFORE),
    /** Crockford's base 32 in either letter case, without I, L, O and U. */
    CROCKFORD32("crockford32", Alphabet.CROCKFORD, Padding.BEFORE),
    /** RFC 4648 section 6 in lower case, of bytes: surplus bits are last. */
    BASE32("base32", Alphabet.BASE32, Padding.AFTER),
    /** RFC 4648 section 7 in lower case, of bytes: surplus bits are last. */
    BASE32HEX("base32hex", Alphabet.BASE32HEX, Padding.AFTER),
    /** The digits, then the letters in lower case. */
    BASE36("base36", Alphabet.BASE36, Padding.BEFORE),
    /** The alphabet of Bitcoin: without 0, I, O and l. */
    BASE58("base58", Alphabet.BASE58, Padding.BEFORE),
    /** The digits, then the capitals, then the letters in lower case. */
    BASE62("base62", Alphabet.BASE62, Padding.BEFORE),
    /** RFC 4648 section 5, of bytes: surplus bits are last. */
    BASE64URL("base64url", Alphabet.BASE64URL, Padding.AFTER),
    /** 32 hexadecimal digits with hyphens. */
    UUID("uuid");

    private final String label;
    private final Optional<Alphabet> alphabet;
    private final Padding padding;

    DigitNotation(String label) {
      this.label = label;
      this.alphabet = Optional.empty();
      this.padding = Padding.BEFORE;
    }

    DigitNotation(String label, Alphabet alphabet, Padding padding) {
      this.label = label;
      this.alphabet = Optional.of(alphabet);
      this.padding = padding;
    }

    /** The name in a catalog. */
    public String label() {
      return label;
    }

    /**
     * Returns the notation with that label.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static DigitNotation parse(String label) {
      return Arrays.stream(values())
          .filter(notation -> notation.label.equals(label))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "expected one of "
                          + Arrays.stream(values())
                              .map(DigitNotation::label)
                              .collect(Collectors.joining(", "))
                          + ", found "
                          + Quoted.of(label)));
    }

    private Alphabet alphabet() {
      return alphabet.orElseThrow();
    }

    /** The digits that so many bits take. */
    private int digits(int bits) {
      BigInteger radix = BigInteger.valueOf(alphabet.map(Alphabet::size).orElse(10));
      BigInteger rest = Slot.ones(bits);
      int digits = 0;
      while (rest.signum() > 0) {
        rest = rest.divide(radix);
        digits++;
      }
      return digits;
    }
  }
}
