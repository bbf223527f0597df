package dev.mintmark.spark.internal;

import dev.mintmark.Form;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.Quoted;
import dev.mintmark.SequenceId;
import dev.mintmark.Transcoder;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.warehouse.WarehouseFunction;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Map;

/**
 * The {@linkplain WarehouseFunction functions} on values of Spark rows. A text is a {@link
 * UTF8String}, a UUID is 36 characters or 16 bytes, a time is the microseconds since 1970.
 *
 * <p>The method of {@code ulid_text} is {@code ulidText}, the method of {@code try_ulid_text} is
 * {@code tryUlidText}. If a {@code try} method has no result, it returns null, or {@link
 * #NO_NUMBER} if its type is a number. No method accepts null.
 *
 * <p>Thread-safe.
 */
public final class RowFunctions {
  /** The result of a {@code try} method instead of null. No number and no time is negative. */
  public static final long NO_NUMBER = -1;

  private static final Transcoder UUID_TO_TEXT = Transcoder.of(Form.UUID, Form.TEXT);
  private static final Transcoder UUID_TO_LOWER = Transcoder.of(Form.UUID, Form.LOWER);
  private static final Transcoder UUID_TO_HEX = Transcoder.of(Form.UUID, Form.HEX);
  private static final Transcoder TEXT_TO_UUID = Transcoder.of(Form.TEXT, Form.UUID);

  private static final int UUID_BYTES = 16;

  /** The number of hexadecimal digits of the milliseconds. */
  private static final int TIME_DIGITS = 12;

  private static final int NUMBER_DIGITS_MAX = 19;
  private static final long MICROS_PER_MILLI = 1000;

  /**
   * The formats of recent calls, at the index of their hash. The queries of a JVM use few formats.
   */
  private static final AtomicReferenceArray<@Nullable NumberFormat> FORMATS =
      new AtomicReferenceArray<>(64);

  /** The prefixes of recent calls of {@link #typeidText}, at the index of their hash. */
  private static final AtomicReferenceArray<@Nullable TypePrefix> TYPE_PREFIXES =
      new AtomicReferenceArray<>(64);

  /** A format with its prefix and width. */
  private record NumberFormat(UTF8String prefix, int width, SequenceId.Format format) {
    NumberFormat(UTF8String prefix, int width) {
      this(prefix.copy(), width, new SequenceId.Format(prefix.toString(), width));
    }

    boolean isOf(UTF8String otherPrefix, int otherWidth) {
      return width == otherWidth && prefix.equals(otherPrefix);
    }
  }

  /** A valid prefix of TypeIDs, and the start of the TypeIDs with that prefix. */
  private record TypePrefix(UTF8String prefix, UTF8String start) {
    TypePrefix(UTF8String prefix) {
      this(prefix.copy(), start(prefix.toString()));
    }

    private static UTF8String start(String prefix) {
      String text = TypeId.of(prefix, Uuids.NIL).toString();
      return UTF8String.fromString(text.substring(0, text.length() - UUID_TO_LOWER.lengthMax()));
    }
  }

  private RowFunctions() {}

  /**
   * Returns the exception with which a query fails. It is an exception of Spark, because Spark
   * shows the message of any other exception only after the stack traces of the failed job. Its
   * condition is that of {@code raise_error}.
   */
  public static SparkRuntimeException refused(IllegalArgumentException cause) {
    return new SparkRuntimeException(
        "USER_RAISED_EXCEPTION",
        new Map.Map1<>("errorMessage", cause.getMessage()),
        cause,
        new QueryContext[0],
        "");
  }

  public static UTF8String ulidText(UTF8String id) {
    return required(tryUlidText(id), UUID_TO_TEXT, id);
  }

  public static @Nullable UTF8String tryUlidText(UTF8String id) {
    return transcoded(UUID_TO_TEXT, id);
  }

  public static UTF8String ulidText(byte[] id) {
    return utf8(Ulid.fromBytes(id));
  }

  public static @Nullable UTF8String tryUlidText(byte[] id) {
    return id.length == UUID_BYTES ? ulidText(id) : null;
  }

  public static UTF8String ulidUuid(UTF8String value) {
    return required(tryUlidUuid(value), TEXT_TO_UUID, value);
  }

  public static @Nullable UTF8String tryUlidUuid(UTF8String value) {
    return transcoded(TEXT_TO_UUID, value);
  }

  public static long ulidTime(UTF8String id) {
    long micros = tryUlidTime(id);
    if (micros == NO_NUMBER) {
      throw malformed(UUID_TO_HEX, id);
    }
    return micros;
  }

  public static long tryUlidTime(UTF8String id) {
    byte[] digits = new byte[UUID_TO_HEX.lengthMax()];
    if (transcode(UUID_TO_HEX, id, digits, 0) == Transcoder.MALFORMED) {
      return NO_NUMBER;
    }
    long millis = 0;
    for (int i = 0; i < TIME_DIGITS; i++) {
      millis = millis << 4 | Character.digit(digits[i], 16);
    }
    return millis * MICROS_PER_MILLI;
  }

  public static long ulidTime(byte[] id) {
    return (Ulid.fromBytes(id).mostSignificantBits() >>> 16) * MICROS_PER_MILLI;
  }

  public static long tryUlidTime(byte[] id) {
    return id.length == UUID_BYTES ? ulidTime(id) : NO_NUMBER;
  }

  public static UTF8String ulidMin(long micros) {
    return utf8(Ulid.min(instant(micros)).toUuid());
  }

  public static UTF8String ulidMax(long micros) {
    return utf8(Ulid.max(instant(micros)).toUuid());
  }

  /** Returns the 16 bytes of the 36 characters of a UUID. */
  public static byte[] uuidBytes(UTF8String id) {
    byte[] digits = new byte[UUID_TO_HEX.lengthMax()];
    int length = transcode(UUID_TO_HEX, id, digits, 0);
    if (length == Transcoder.MALFORMED) {
      throw malformed(UUID_TO_HEX, id);
    }
    return HexFormat.of().parseHex(new String(digits, 0, length, StandardCharsets.US_ASCII));
  }

  /** Returns the 36 characters of a UUID of 16 bytes; null for another number of bytes. */
  public static @Nullable UTF8String uuidText(byte[] id) {
    return id.length == UUID_BYTES ? utf8(Ulid.fromBytes(id).toUuid()) : null;
  }

  /** Returns a UUID that is in lower case already. */
  public static UTF8String uuidLower(UTF8String id) {
    return id;
  }

  /** Returns a UUID in upper case. */
  public static UTF8String uuidUpper(UTF8String id) {
    return id.toUpperCase();
  }

  /** Returns the digits before the first letter, and G, the letter after the last digit, F. */
  public static UTF8String uuidUpperEnd(UTF8String id) {
    int digits = 0;
    while (digits < id.numBytes() && id.getByte(digits) <= '9') {
      digits++;
    }
    return UTF8String.concat(id.substring(0, digits), UTF8String.fromString("G"));
  }

  /** Returns a number for {@link #prefixed}, which is neither rounded nor cut. */
  public static long wholeNumber(long number) {
    return number;
  }

  public static long wholeNumber(int number) {
    return number;
  }

  public static long wholeNumber(Decimal number) {
    return wholeNumber(number.toString());
  }

  public static long wholeNumber(double number) {
    return wholeNumber(Double.toString(number));
  }

  public static long wholeNumber(float number) {
    return wholeNumber(Float.toString(number));
  }

  /** Returns a width for {@link #prefixed}, which is neither rounded nor cut. */
  public static int wholeWidth(int width) {
    return width;
  }

  public static int wholeWidth(long width) {
    return wholeWidth(Long.toString(width));
  }

  public static int wholeWidth(Decimal width) {
    return wholeWidth(width.toString());
  }

  public static int wholeWidth(double width) {
    return wholeWidth(Double.toString(width));
  }

  public static int wholeWidth(float width) {
    return wholeWidth(Float.toString(width));
  }

  private static long wholeNumber(String number) {
    return whole(number, Long.MAX_VALUE)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "number %s: expected 0 to %s".formatted(plain(number), Long.MAX_VALUE)));
  }

  private static int wholeWidth(String width) {
    return (int)
        whole(width, Integer.MAX_VALUE)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "width %s: expected 0 to %s digits"
                            .formatted(plain(width), SequenceId.Format.WIDTH_MAX)));
  }

  /** Returns the number in a text; empty if it has a fraction, is negative or exceeds the limit. */
  private static OptionalLong whole(String number, long max) {
    try {
      long value = new BigDecimal(number).longValueExact();
      return value >= 0 && value <= max ? OptionalLong.of(value) : OptionalLong.empty();
    } catch (ArithmeticException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns a text of a number without exponent and without zeros at the end of its fraction. */
  private static String plain(String number) {
    try {
      return new BigDecimal(number).stripTrailingZeros().toPlainString();
    } catch (NumberFormatException e) {
      return number;
    }
  }

  public static UTF8String prefixed(UTF8String prefix, long number, int width) {
    int place = (31 * prefix.hashCode() + width) & (FORMATS.length() - 1);
    NumberFormat known = FORMATS.get(place);
    if (known == null || !known.isOf(prefix, width)) {
      known = new NumberFormat(prefix, width);
      FORMATS.set(place, known);
    }
    return utf8(known.format.of(number));
  }

  public static long unprefixed(UTF8String prefix, UTF8String value) {
    long number = tryUnprefixed(prefix, value);
    if (number == NO_NUMBER) {
      throw new MalformedIdException(
          "malformed sequence id %s: expected %s and 1 to %s digits, at most %s"
              .formatted(
                  Quoted.of(value.toString()),
                  Quoted.of(prefix.toString()),
                  NUMBER_DIGITS_MAX,
                  Long.MAX_VALUE));
    }
    return number;
  }

  public static long tryUnprefixed(UTF8String prefix, UTF8String value) {
    return value.startsWith(prefix) ? number(value, prefix.numBytes()) : NO_NUMBER;
  }

  public static UTF8String typeidText(UTF8String prefix, UTF8String id) {
    return required(afterPrefix(typePrefix(prefix), id), UUID_TO_LOWER, id);
  }

  public static @Nullable UTF8String tryTypeidText(UTF8String prefix, UTF8String id) {
    return nullIfRejected(() -> afterPrefix(typePrefix(prefix), id));
  }

  public static UTF8String typeidText(UTF8String prefix, byte[] id) {
    return utf8(TypeId.of(prefix.toString(), Ulid.fromBytes(id).toUuid()));
  }

  public static @Nullable UTF8String tryTypeidText(UTF8String prefix, byte[] id) {
    return nullIfRejected(() -> typeidText(prefix, id));
  }

  public static UTF8String typeidUuid(UTF8String value) {
    return utf8(TypeId.parse(value.toString()).uuid());
  }

  public static @Nullable UTF8String tryTypeidUuid(UTF8String value) {
    return utf8(TypeId.tryParse(value.toString()), TypeId::uuid);
  }

  public static UTF8String idPrefix(UTF8String value) {
    UTF8String prefix = tryIdPrefix(value);
    if (prefix == null) {
      throw new MalformedIdException(
          "malformed id %s: expected a TypeID, or 1 to %s digits after a prefix"
              .formatted(Quoted.of(value.toString()), NUMBER_DIGITS_MAX));
    }
    return prefix;
  }

  public static @Nullable UTF8String tryIdPrefix(UTF8String value) {
    String text = value.toString();
    Optional<TypeId> typeId = TypeId.tryParse(text);
    return typeId.isPresent()
        ? utf8(typeId.get().prefix())
        : nullIfRejected(() -> prefixOfNumber(value));
  }

  public static UTF8String puri(UTF8String namespace, UTF8String collection, UTF8String id) {
    return utf8(Puri.of(namespace.toString(), collection.toString(), id.toString()));
  }

  public static @Nullable UTF8String tryPuri(
      UTF8String namespace, UTF8String collection, UTF8String id) {
    return nullIfRejected(() -> puri(namespace, collection, id));
  }

  public static UTF8String puriNamespace(UTF8String value) {
    return utf8(Puri.parse(value.toString()).namespace());
  }

  public static @Nullable UTF8String tryPuriNamespace(UTF8String value) {
    return utf8(Puri.tryParse(value.toString()), Puri::namespace);
  }

  public static UTF8String puriCollection(UTF8String value) {
    return utf8(Puri.parse(value.toString()).collection());
  }

  public static @Nullable UTF8String tryPuriCollection(UTF8String value) {
    return utf8(Puri.tryParse(value.toString()), Puri::collection);
  }

  public static UTF8String puriIdentifier(UTF8String value) {
    return utf8(Puri.parse(value.toString()).identifier());
  }

  public static @Nullable UTF8String tryPuriIdentifier(UTF8String value) {
    return utf8(Puri.tryParse(value.toString()), Puri::identifier);
  }

  private static @Nullable UTF8String transcoded(Transcoder transcoder, UTF8String source) {
    byte[] target = new byte[transcoder.lengthMax()];
    int length = transcode(transcoder, source, target, 0);
    return length == Transcoder.MALFORMED ? null : UTF8String.fromBytes(target, 0, length);
  }

  /** Reads the text in the array of the row, without a copy unless it is in off-heap memory. */
  private static int transcode(Transcoder transcoder, UTF8String source, byte[] target, int at) {
    if (source.getBaseObject() instanceof byte[] array) {
      int start = (int) (source.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
      return transcoder.transcode(array, start, source.numBytes(), target, at);
    }
    return transcoder.transcode(source.getBytes(), 0, source.numBytes(), target, at);
  }

  private static UTF8String required(
      @Nullable UTF8String result, Transcoder transcoder, UTF8String source) {
    if (result == null) {
      throw malformed(transcoder, source);
    }
    return result;
  }

  private static MalformedIdException malformed(Transcoder transcoder, UTF8String source) {
    return transcoder.malformed(source.getBytes(), 0, source.numBytes());
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochMilli(Math.floorDiv(micros, MICROS_PER_MILLI));
  }

  private static TypePrefix typePrefix(UTF8String prefix) {
    int place = prefix.hashCode() & (TYPE_PREFIXES.length() - 1);
    TypePrefix known = TYPE_PREFIXES.get(place);
    if (known == null || !known.prefix.equals(prefix)) {
      known = new TypePrefix(prefix);
      TYPE_PREFIXES.set(place, known);
    }
    return known;
  }

  private static @Nullable UTF8String afterPrefix(TypePrefix prefix, UTF8String id) {
    int start = prefix.start.numBytes();
    byte[] text = Arrays.copyOf(prefix.start.getBytes(), start + UUID_TO_LOWER.lengthMax());
    int length = transcode(UUID_TO_LOWER, id, text, start);
    return length == Transcoder.MALFORMED ? null : UTF8String.fromBytes(text);
  }

  /** Returns the number in the digits from byte {@code from}, or {@link #NO_NUMBER}. */
  private static long number(UTF8String value, int from) {
    int digits = value.numBytes() - from;
    if (digits < 1 || digits > NUMBER_DIGITS_MAX) {
      return NO_NUMBER;
    }
    long number = 0;
    for (int i = from; i < value.numBytes(); i++) {
      int digit = value.getByte(i) - '0';
      if (digit < 0 || digit > 9) {
        return NO_NUMBER;
      }
      number = 10 * number + digit;
    }
    // Nineteen digits are less than 2^64, so a number that is too large has become negative.
    return Math.max(number, NO_NUMBER);
  }

  /** Returns the prefix of a number; null if the text does not end with a valid number. */
  private static @Nullable UTF8String prefixOfNumber(UTF8String value) {
    int end = value.numBytes();
    while (end > 0 && value.getByte(end - 1) >= '0' && value.getByte(end - 1) <= '9') {
      end--;
    }
    if (number(value, end) == NO_NUMBER) {
      return null;
    }
    String prefix = UTF8String.fromBytes(value.getBytes(), 0, end).toString();
    return utf8(new SequenceId.Format(prefix, 0).prefix());
  }

  /** Returns null if a prefix or a segment is rejected, which only an exception reports. */
  private static @Nullable UTF8String nullIfRejected(Rejecting function) {
    try {
      return function.apply();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static <T> @Nullable UTF8String utf8(Optional<T> id, Function<T, Object> part) {
    return id.isPresent() ? utf8(part.apply(id.get())) : null;
  }

  private static UTF8String utf8(Object id) {
    return UTF8String.fromString(id.toString());
  }

  private interface Rejecting {
    @Nullable UTF8String apply();
  }
}
