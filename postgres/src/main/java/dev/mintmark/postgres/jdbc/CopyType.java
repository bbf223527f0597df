package dev.mintmark.postgres.jdbc;

import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.Ksuid;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.Quoted;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.TypedId;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The supported column types, and the binary format of their values: that of the {@code *send}
 * function of the type, after the length.
 *
 * @see <a href="https://www.postgresql.org/docs/current/sql-copy.html">PostgreSQL on COPY, "Binary
 *     Format"</a>
 */
enum CopyType {
  UUID("uuid", "UUID, Ulid, TypeId"),
  BIGINT("int8", "Long, Integer, Short, SequenceId, Snowflake, Tsid"),
  INTEGER("int4", "Integer, Short"),
  SMALLINT("int2", "Short"),
  TEXT("text", "String, any identifier, Enum"),
  VARCHAR("varchar", "String, any identifier, Enum"),
  CHAR("bpchar", "String, any identifier, Enum"),
  JSON("json", "String"),
  JSONB("jsonb", "String"),
  BOOLEAN("bool", "Boolean"),
  DOUBLE("float8", "Double, Float"),
  REAL("float4", "Float"),
  NUMERIC("numeric", "BigDecimal"),
  TIMESTAMPTZ("timestamptz", "Instant, OffsetDateTime"),
  TIMESTAMP("timestamp", "LocalDateTime"),
  DATE("date", "LocalDate"),
  INTERVAL("interval", "Duration, Period"),
  INET("inet", "InetAddress"),
  BYTEA("bytea", "byte[]");

  /** The length that means null. */
  static final int NULL = -1;

  private static final int UUID_BYTES = 16;

  /** The version number of the text format of {@code jsonb}. */
  private static final int JSONB_TEXT = 1;

  /** 2000-01-01T00:00:00Z, the epoch of PostgreSQL. */
  private static final long EPOCH_SECOND = 946_684_800L;

  private static final long EPOCH_DAY = 10_957L;
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final int NANOS_PER_MICRO = 1_000;

  /** MIN_TIMESTAMP and END_TIMESTAMP of PostgreSQL's datatype/timestamp.h, since 1970. */
  private static final Instant TIMESTAMP_MIN = Instant.parse("-4713-11-24T00:00:00Z");

  private static final Instant TIMESTAMP_END = Instant.parse("+294277-01-01T00:00:00Z");

  /** The range of its dates, from the first, inclusive, to the end, exclusive. */
  private static final LocalDate DATE_MIN = LocalDate.parse("-4713-11-24");

  private static final LocalDate DATE_END = LocalDate.parse("+5874898-01-01");

  /** The most months of an interval; Integer.MAX_VALUE is part of infinity since version 17. */
  private static final int INTERVAL_MONTHS_MAX = Integer.MAX_VALUE - 1;

  private static final int IPV4_BYTES = 4;

  /** PGSQL_AF_INET and PGSQL_AF_INET6 of utils/inet.h. */
  private static final int INET_IPV4 = 2;

  private static final int INET_IPV6 = 3;

  /** The most digits of a numeric before and after the decimal point. */
  private static final int NUMERIC_WHOLE_MAX = 131_072;

  private static final int NUMERIC_FRACTION_MAX = 16_383;

  /** The decimal digits in one digit of a numeric, which has base 10,000. */
  private static final int NUMERIC_GROUP = 4;

  private static final int NUMERIC_POSITIVE = 0x0000;
  private static final int NUMERIC_NEGATIVE = 0x4000;

  private final String typeName;
  private final String accepted;

  CopyType(String typeName, String accepted) {
    this.typeName = typeName;
    this.accepted = accepted;
  }

  /** The type with this name in {@code pg_type}; empty if it is not supported. */
  static Optional<CopyType> named(String typeName) {
    return Arrays.stream(values()).filter(type -> type.typeName.equals(typeName)).findFirst();
  }

  /** The names of all types, for messages. */
  static String names() {
    return Arrays.stream(values()).map(type -> type.typeName).collect(Collectors.joining(", "));
  }

  /** The accepted classes of values, for messages. */
  String accepted() {
    return accepted;
  }

  /**
   * Writes a value with its length.
   *
   * @return false if this type does not accept the class of the value
   * @throws IllegalArgumentException if the value is out of the range of the type
   */
  boolean put(CopyBuffer buffer, Object value) {
    return putKept(buffer, value instanceof TypedId<?> id ? id.stored() : value)
        || IdTypes.find(value.getClass())
            .map(type -> putKept(buffer, stored(type, value)))
            .orElse(false);
  }

  /** What this type holds of an identifier of a declared class. */
  private <T> ColumnValue stored(IdType<T> type, Object value) {
    boolean isText = this == TEXT || this == VARCHAR || this == CHAR;
    return (isText ? type.asText() : type).toStored(type.javaType().cast(value));
  }

  private boolean putKept(CopyBuffer buffer, Object kept) {
    return switch (this) {
      case UUID -> putUuid(buffer, kept);
      case BIGINT -> putBigint(buffer, kept);
      case INTEGER -> putInteger(buffer, kept);
      case SMALLINT -> putSmallint(buffer, kept);
      case TEXT, VARCHAR, CHAR -> putText(buffer, kept);
      case JSON -> putJson(buffer, kept);
      case JSONB -> putJsonb(buffer, kept);
      case BOOLEAN -> putBoolean(buffer, kept);
      case DOUBLE -> putDouble(buffer, kept);
      case REAL -> putReal(buffer, kept);
      case NUMERIC -> putNumeric(buffer, kept);
      case TIMESTAMPTZ -> putTimestamptz(buffer, kept);
      case TIMESTAMP -> putTimestamp(buffer, kept);
      case DATE -> putDate(buffer, kept);
      case INTERVAL -> putInterval(buffer, kept);
      case INET -> putInet(buffer, kept);
      case BYTEA -> putBytea(buffer, kept);
    };
  }

  private static boolean putUuid(CopyBuffer buffer, Object value) {
    if (value instanceof Ulid ulid) {
      putBits(buffer, ulid.mostSignificantBits(), ulid.leastSignificantBits());
    } else if (value instanceof UUID uuid) {
      putBits(buffer, uuid);
    } else if (value instanceof TypeId id) {
      putBits(buffer, id.uuid());
    } else if (value instanceof ColumnValue.Uuid stored) {
      putBits(buffer, stored.value());
    } else {
      return false;
    }
    return true;
  }

  private static void putBits(CopyBuffer buffer, UUID uuid) {
    putBits(buffer, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  private static void putBits(CopyBuffer buffer, long high, long low) {
    buffer.putInt(UUID_BYTES);
    buffer.putLong(high);
    buffer.putLong(low);
  }

  private static boolean putBigint(CopyBuffer buffer, Object value) {
    if (value instanceof Long || value instanceof Integer || value instanceof Short) {
      putLong(buffer, ((Number) value).longValue());
    } else if (value instanceof SequenceId id) {
      putLong(buffer, id.number());
    } else if (value instanceof Snowflake id) {
      putLong(buffer, id.toLong());
    } else if (value instanceof Tsid id) {
      putLong(buffer, id.toLong());
    } else if (value instanceof ColumnValue.Bigint stored) {
      putLong(buffer, stored.value());
    } else {
      return false;
    }
    return true;
  }

  private static void putLong(CopyBuffer buffer, long value) {
    buffer.putInt(Long.BYTES);
    buffer.putLong(value);
  }

  private static boolean putInteger(CopyBuffer buffer, Object value) {
    if (!(value instanceof Integer || value instanceof Short)) {
      return false;
    }
    buffer.putInt(Integer.BYTES);
    buffer.putInt(((Number) value).intValue());
    return true;
  }

  private static boolean putSmallint(CopyBuffer buffer, Object value) {
    if (!(value instanceof Short number)) {
      return false;
    }
    buffer.putInt(Short.BYTES);
    buffer.putShort(number);
    return true;
  }

  private static boolean putText(CopyBuffer buffer, Object value) {
    boolean isText =
        value instanceof String
            || value instanceof Ulid
            || value instanceof UUID
            || value instanceof TypeId
            || value instanceof SequenceId
            || value instanceof NanoId
            || value instanceof Snowflake
            || value instanceof Tsid
            || value instanceof Ksuid
            || value instanceof ObjectId
            || value instanceof Xid
            || value instanceof Puri
            || value instanceof ColumnValue.Text;
    if (isText || value instanceof Enum<?>) {
      byte[] utf8 = utf8(value instanceof Enum<?> constant ? constant.name() : value.toString());
      buffer.putInt(utf8.length);
      buffer.putBytes(utf8);
      return true;
    }
    return false;
  }

  private static boolean putJson(CopyBuffer buffer, Object value) {
    return value instanceof String && putText(buffer, value);
  }

  private static boolean putJsonb(CopyBuffer buffer, Object value) {
    if (!(value instanceof String text)) {
      return false;
    }
    byte[] utf8 = utf8(text);
    buffer.putInt(1 + utf8.length);
    buffer.putByte(JSONB_TEXT);
    buffer.putBytes(utf8);
    return true;
  }

  private static boolean putBoolean(CopyBuffer buffer, Object value) {
    if (!(value instanceof Boolean truth)) {
      return false;
    }
    buffer.putInt(1);
    buffer.putByte(truth ? 1 : 0);
    return true;
  }

  private static boolean putDouble(CopyBuffer buffer, Object value) {
    if (!(value instanceof Double || value instanceof Float)) {
      return false;
    }
    putLong(buffer, Double.doubleToRawLongBits(((Number) value).doubleValue()));
    return true;
  }

  private static boolean putReal(CopyBuffer buffer, Object value) {
    if (!(value instanceof Float number)) {
      return false;
    }
    buffer.putInt(Float.BYTES);
    buffer.putInt(Float.floatToRawIntBits(number));
    return true;
  }

  private static boolean putNumeric(CopyBuffer buffer, Object value) {
    if (!(value instanceof BigDecimal number)) {
      return false;
    }
    long wholeDigits = number.signum() == 0 ? 0 : (long) number.precision() - number.scale();
    if (wholeDigits > NUMERIC_WHOLE_MAX || number.scale() > NUMERIC_FRACTION_MAX) {
      throw new IllegalArgumentException(
          "expected at most %s digits before the decimal point and %s after it, got %s and %s"
              .formatted(
                  NUMERIC_WHOLE_MAX,
                  NUMERIC_FRACTION_MAX,
                  Math.max(0, wholeDigits),
                  Math.max(0, number.scale())));
    }
    putDigits(buffer, number);
    return true;
  }

  /** Writes the digits in base 10,000, as {@code numeric_recv} reads them. */
  private static void putDigits(CopyBuffer buffer, BigDecimal number) {
    int scale = Math.max(0, number.scale());
    BigInteger unscaled =
        number.signum() == 0 ? BigInteger.ZERO : number.setScale(scale).unscaledValue();
    String fraction = "0".repeat(-scale & (NUMERIC_GROUP - 1));
    String decimal = unscaled.abs() + fraction;
    int fractionGroups = (scale + fraction.length()) / NUMERIC_GROUP;
    int groups = Math.max(fractionGroups, (decimal.length() + NUMERIC_GROUP - 1) / NUMERIC_GROUP);
    String digits = "0".repeat(groups * NUMERIC_GROUP - decimal.length()) + decimal;

    buffer.putInt(4 * Short.BYTES + groups * Short.BYTES);
    buffer.putShort(groups);
    buffer.putShort(groups - fractionGroups - 1); // the weight of the first
    buffer.putShort(number.signum() < 0 ? NUMERIC_NEGATIVE : NUMERIC_POSITIVE);
    buffer.putShort(scale);
    for (int from = 0; from < digits.length(); from += NUMERIC_GROUP) {
      buffer.putShort(Integer.parseInt(digits, from, from + NUMERIC_GROUP, 10));
    }
  }

  private static boolean putTimestamptz(CopyBuffer buffer, Object value) {
    Object instant = value instanceof OffsetDateTime local ? local.toInstant() : value;
    if (!(instant instanceof Instant time)) {
      return false;
    }
    if (time.isBefore(TIMESTAMP_MIN) || !time.isBefore(TIMESTAMP_END)) {
      throw outOfRange(time, TIMESTAMP_MIN, TIMESTAMP_END);
    }
    long seconds = time.getEpochSecond() - EPOCH_SECOND;
    putLong(buffer, seconds * MICROS_PER_SECOND + time.getNano() / NANOS_PER_MICRO);
    return true;
  }

  private static boolean putTimestamp(CopyBuffer buffer, Object value) {
    return value instanceof LocalDateTime time
        && putTimestamptz(buffer, time.toInstant(ZoneOffset.UTC));
  }

  private static boolean putDate(CopyBuffer buffer, Object value) {
    if (!(value instanceof LocalDate date)) {
      return false;
    }
    if (date.isBefore(DATE_MIN) || !date.isBefore(DATE_END)) {
      throw outOfRange(date, DATE_MIN, DATE_END);
    }
    buffer.putInt(Integer.BYTES);
    buffer.putInt((int) (date.toEpochDay() - EPOCH_DAY));
    return true;
  }

  @SuppressWarnings("JavaPeriodGetDays") // The months are written as well.
  private static boolean putInterval(CopyBuffer buffer, Object value) {
    if (value instanceof Duration time) {
      putInterval(buffer, micros(time), 0, 0);
    } else if (value instanceof Period period) {
      long months = period.toTotalMonths();
      if (Math.abs(months) > INTERVAL_MONTHS_MAX) {
        throw new IllegalArgumentException(
            "expected at most %s years, got %s".formatted(INTERVAL_MONTHS_MAX / 12, period));
      }
      putInterval(buffer, 0, period.getDays(), (int) months);
    } else {
      return false;
    }
    return true;
  }

  private static void putInterval(CopyBuffer buffer, long micros, int days, int months) {
    buffer.putInt(Long.BYTES + 2 * Integer.BYTES);
    buffer.putLong(micros);
    buffer.putInt(days);
    buffer.putInt(months);
  }

  private static long micros(Duration time) {
    try {
      return Math.addExact(
          Math.multiplyExact(time.getSeconds(), MICROS_PER_SECOND),
          time.getNano() / NANOS_PER_MICRO);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("expected at most 2^63 - 1 microseconds, got " + time, e);
    }
  }

  /** Writes an address as {@code inet_recv} reads it. */
  private static boolean putInet(CopyBuffer buffer, Object value) {
    if (!(value instanceof InetAddress address)) {
      return false;
    }
    if (address instanceof Inet6Address scoped
        && (scoped.getScopeId() != 0 || scoped.getScopedInterface() != null)) {
      throw new IllegalArgumentException(
          "expected an address without a scope, got " + address.getHostAddress());
    }
    byte[] bytes = address.getAddress();
    buffer.putInt(4 + bytes.length);
    buffer.putByte(bytes.length == IPV4_BYTES ? INET_IPV4 : INET_IPV6);
    buffer.putByte(bytes.length * Byte.SIZE); // the length of the prefix: a host
    buffer.putByte(0); // inet, not cidr
    buffer.putByte(bytes.length);
    buffer.putBytes(bytes);
    return true;
  }

  private static IllegalArgumentException outOfRange(Object time, Object min, Object end) {
    return new IllegalArgumentException(
        "expected a time from %s, inclusive, to %s, exclusive, got %s".formatted(min, end, time));
  }

  private static boolean putBytea(CopyBuffer buffer, Object value) {
    if (!(value instanceof byte[] bytes)) {
      return false;
    }
    buffer.putInt(bytes.length);
    buffer.putBytes(bytes);
    return true;
  }

  /**
   * The bytes of a text.
   *
   * @throws IllegalArgumentException if it is not Unicode, or contains U+0000, which PostgreSQL
   *     cannot store
   */
  private static byte[] utf8(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        throw new IllegalArgumentException(
            "character %s of %s cannot be stored as text".formatted(i, Quoted.of(text)));
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
