package dev.mintmark;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A way to write the 128 bits of an identifier as text. An identifier has one text in each form; in
 * a {@linkplain #isReadable() readable} form a text has one identifier.
 */
public enum Form {
  /** 26 characters of Crockford's base 32, upper case: {@code 01FZG96YPZK4SANAG1ZM5T2K9Z}. */
  TEXT,
  /** The same in lower case. */
  LOWER,
  /** 36 characters: {@code 017fe093-7adf-9932-aaaa-01fd0ba14d3f}. */
  UUID,
  /** 32 hexadecimal digits, lower case. */
  HEX,
  /** A decimal number, 0 to 2^128-1. */
  INT,
  /** A binary number after {@code 0b}, without leading zeros. */
  BIN,
  /** An octal number after {@code 0o}, without leading zeros. */
  OCT,
  /**
   * The nearest {@code double}, in the fewest digits that read back as it: {@code
   * 1.9932046411374316e+36}.
   */
  FLOAT,
  /** 16 bytes as pairs of hexadecimal digits with one space between: {@code 01 7f e0 ...}. */
  BYTES,
  /** 22 characters of RFC 4648 section 5, without padding. */
  BASE64URL,
  /**
   * The time of the identifier in whole milliseconds, ISO-8601 in UTC: {@code
   * 2022-03-31T15:23:55.999Z}. Of a {@link Ulid} it is {@link Ulid#time}, of a UUID {@link
   * Uuids#time}. 128 bits do not say which of them they are: an {@link IdReader} does. An
   * identifier without a time does not have this form.
   */
  TIME,
  /** The first 10 characters of {@link #TEXT}: the timestamp. */
  TIME_TEXT,
  /** The last 16 characters of {@link #TEXT}: the randomness. */
  RANDOMNESS_TEXT,
  /** A {@link Puri}, which also requires a namespace and a collection. */
  PURI,
  /** The first 32 bits as a decimal number, {@link Uuids#timeLow}, of a UUID of any version. */
  TIME_LOW,
  /** The next 16 bits as a decimal number: {@link Uuids#timeMid}. */
  TIME_MID,
  /** The next 16 bits as a decimal number: {@link Uuids#timeHiVersion}. */
  TIME_HI_VERSION,
  /** 14 bits after the variant as a decimal number: {@link Uuids#clockSeq}. */
  CLOCK_SEQ,
  /** 8 bits with the variant as a decimal number: {@link Uuids#clockSeqHiVariant}. */
  CLOCK_SEQ_HI_VARIANT,
  /** The next 8 bits as a decimal number: {@link Uuids#clockSeqLow}. */
  CLOCK_SEQ_LOW,
  /** The last 48 bits as a decimal number: {@link Uuids#node}. */
  NODE,
  /**
   * The six decimal numbers that make up the 128 bits, with one space between: {@code 25157779
   * 31455 39218 170 170 2186333474111}. They are {@link #TIME_LOW}, {@link #TIME_MID}, {@link
   * #TIME_HI_VERSION}, {@link #CLOCK_SEQ_HI_VARIANT}, {@link #CLOCK_SEQ_LOW} and {@link #NODE}: the
   * {@code fields} of Python's {@code uuid}.
   */
  FIELDS,
  /** A {@linkplain Puris#toCompact compact} {@link Puri}, which also requires a catalog. */
  COMPACT,
  /** The face of a {@link Mask}, which also requires a collection and a key. */
  MASK;

  private static final int TIME_TEXT_LENGTH = 10;

  /** The forms that make up {@link #FIELDS}. */
  private static final List<Form> PARTS =
      List.of(TIME_LOW, TIME_MID, TIME_HI_VERSION, CLOCK_SEQ_HI_VARIANT, CLOCK_SEQ_LOW, NODE);

  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  /** The name of this form in commands and requests: {@code randomness-text}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the form with a label.
   *
   * @throws IllegalArgumentException if there is none; the message lists all labels
   */
  public static Form parse(String label) {
    return tryParse(label)
        .orElseThrow(() -> new IllegalArgumentException(Spelling.unknown("form", label, labels())));
  }

  /** Returns the form with a label, or empty if there is none. */
  public static Optional<Form> tryParse(String label) {
    return Arrays.stream(values()).filter(form -> form.label().equals(label)).findFirst();
  }

  /** Whether {@link #read} reads a text of this form: it holds 128 bits and nothing else. */
  public boolean isReadable() {
    return switch (this) {
      case TEXT, LOWER, UUID, HEX, INT, BIN, OCT, BYTES, BASE64URL -> true;
      default -> false;
    };
  }

  /**
   * Whether 128 bits are not enough to write a text of this form: {@link #PURI}, {@link #COMPACT}
   * and {@link #MASK} belong to a collection.
   */
  public boolean isOfCollection() {
    return this == PURI || this == COMPACT || this == MASK;
  }

  /**
   * Writes a ULID in this form. {@link Uuids#to} writes a UUID, {@link IdReader#write} any
   * identifier.
   *
   * @throws IllegalArgumentException for a form {@linkplain #isOfCollection of a collection}: see
   *     {@link Puri#of}, {@link Puris#toCompact} and {@link Mask#show}
   */
  public String write(Ulid id) {
    return switch (this) {
      case TEXT -> id.toString();
      case LOWER -> id.toString().toLowerCase(Locale.ROOT);
      case UUID -> id.toUuid().toString();
      case HEX -> HexFormat.of().formatHex(id.toBytes());
      case INT -> Numeral.DECIMAL.write(id);
      case BIN -> Numeral.BINARY.write(id);
      case OCT -> Numeral.OCTAL.write(id);
      case FLOAT -> ShortestDecimal.ofWhole(id.toBigInteger().doubleValue());
      case BYTES -> HexFormat.ofDelimiter(" ").formatHex(id.toBytes());
      case BASE64URL -> Base64Url.write(id);
      case TIME -> timeText(id.time());
      case TIME_TEXT -> id.toString().substring(0, TIME_TEXT_LENGTH);
      case RANDOMNESS_TEXT -> id.toString().substring(TIME_TEXT_LENGTH);
      case TIME_LOW -> Long.toString(Uuids.timeLow(id.toUuid()));
      case TIME_MID -> Integer.toString(Uuids.timeMid(id.toUuid()));
      case TIME_HI_VERSION -> Integer.toString(Uuids.timeHiVersion(id.toUuid()));
      case CLOCK_SEQ -> Integer.toString(Uuids.clockSeq(id.toUuid()));
      case CLOCK_SEQ_HI_VARIANT -> Integer.toString(Uuids.clockSeqHiVariant(id.toUuid()));
      case CLOCK_SEQ_LOW -> Integer.toString(Uuids.clockSeqLow(id.toUuid()));
      case NODE -> Long.toString(Uuids.node(id.toUuid()));
      case FIELDS -> PARTS.stream().map(part -> part.write(id)).collect(Collectors.joining(" "));
      case PURI ->
          throw new IllegalArgumentException(
              "form \"puri\" of "
                  + id
                  + " needs a namespace and a collection: see Puri.of(namespace, collection, id)");
      case COMPACT ->
          throw new IllegalArgumentException(
              "form \"compact\" of " + id + " needs a catalog: see Puris.toCompact(puri)");
      case MASK ->
          throw new IllegalArgumentException(
              "form \"mask\" of " + id + " needs a collection and a key: see Mask.show(id)");
    };
  }

  /**
   * Reads a text of {@link #write}; hexadecimal and Crockford digits in either letter case.
   *
   * @throws MalformedIdException if the text is not of this form
   * @throws IllegalArgumentException if the form is not {@linkplain #isReadable() readable}
   */
  public Ulid read(String text) {
    return switch (this) {
      case TEXT, LOWER -> Ulid.parse(text);
      case UUID -> Ulid.of(Uuids.parse(text));
      case HEX -> Ulid.of(HexNotation.PLAIN.parse(text));
      case INT -> Numeral.DECIMAL.read(text);
      case BIN -> Numeral.BINARY.read(text);
      case OCT -> Numeral.OCTAL.read(text);
      case BYTES -> Ulid.of(HexNotation.PAIRS.parse(text));
      case BASE64URL -> Base64Url.read(text);
      default -> throw unreadable();
    };
  }

  /** What the bits of a text in this form are taken for. */
  BitsRule bitsRule() {
    return switch (this) {
      case TEXT, LOWER -> BitsRule.ULID;
      case UUID -> BitsRule.UUID;
      default -> BitsRule.RANKED;
    };
  }

  /** Returns the error for a form that is not {@linkplain #isReadable() readable}. */
  IllegalArgumentException unreadable() {
    return new IllegalArgumentException(
        "form "
            + Quoted.of(label())
            + " cannot be read back: it does not hold 128 bits and nothing else");
  }

  /**
   * Reads an identifier in any readable form, recognized by its length and first characters. A UUID
   * may also be written as {@code {braced}} or after {@code urn:uuid:}.
   *
   * <p>If a text fits two forms, the one of fixed length is taken: 26 characters are Crockford's
   * base 32 and 32 are hexadecimal, even if they are all decimal digits or start with {@code 0b}.
   * To read such a number, name its form.
   *
   * @throws MalformedIdException if the text fits no form, or fits one and is malformed
   */
  public static Ulid readAny(String text) {
    // The letter o is in neither Crockford's nor the hexadecimal alphabet, so this is unambiguous.
    if (Numeral.OCTAL.isShapeOf(text)) {
      return OCT.read(text);
    }
    return switch (text.length()) {
      case 26 -> TEXT.read(text);
      case 32 -> HEX.read(text);
      default -> readOther(text);
    };
  }

  private static Ulid readOther(String text) {
    if (Numeral.BINARY.isShapeOf(text)) {
      return BIN.read(text);
    }
    if (Numeral.DECIMAL.isShapeOf(text)) {
      return INT.read(text);
    }
    if (text.length() == Base64Url.LENGTH) {
      return BASE64URL.read(text);
    }
    return Ulid.of(HexNotation.byLengthOf(text).orElseThrow(() -> unrecognized(text)).parse(text));
  }

  private static MalformedIdException unrecognized(String text) {
    return Malformed.because(
        "identifier",
        text,
        "not a ULID, a UUID or any other form of 128 bits ("
            + Malformed.characters(text.length())
            + ")");
  }

  /** Writes a time in UTC with exactly three digits of milliseconds, truncated. */
  static String timeText(Instant time) {
    return MILLISECONDS.format(time);
  }

  private static List<String> labels() {
    return Arrays.stream(values()).map(Form::label).toList();
  }
}
