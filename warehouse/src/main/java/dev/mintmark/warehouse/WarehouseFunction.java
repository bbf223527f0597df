package dev.mintmark.warehouse;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A function that analysts have in every warehouse, by the same name and with the same answers;
 * those that the SQL pack of PostgreSQL has too are called as they are there.
 *
 * <p>Null in, null out. Of a text that is malformed a function fails, with the message that {@link
 * dev.mintmark.MalformedIdException} has; one that reads a text has a sibling, {@link #tryName},
 * that answers null instead. A UUID is what the warehouse keeps a PostgreSQL {@code uuid} as: its
 * 36 characters in either letter case where the engine has no such type, and written in lower case.
 */
public enum WarehouseFunction {
  /** The 26 characters of a ULID. */
  ULID_TEXT(ValueType.TEXT, true, in("id", ValueType.UUID)),
  /** The UUID of the 26 characters of a ULID, in either letter case. */
  ULID_UUID(ValueType.UUID, true, in("value", ValueType.TEXT)),
  /** When a ULID or a UUIDv7 was minted, to the millisecond: its first 48 bits. */
  ULID_TIME(ValueType.TIME, true, in("id", ValueType.UUID)),
  /** The least identifier of the millisecond that a time is in. */
  ULID_MIN(ValueType.UUID, false, in("moment", ValueType.TIME)),
  /** The greatest identifier of the millisecond that a time is in. */
  ULID_MAX(ValueType.UUID, false, in("moment", ValueType.TIME)),
  /** A number behind a prefix, {@code PM000123}: of at least so many digits, 0 to 18. */
  PREFIXED(
      ValueType.TEXT,
      false,
      in("prefix", ValueType.TEXT),
      in("number", ValueType.BIGINT),
      in("width", ValueType.INTEGER)),
  /** The number behind a prefix, with leading zeros or without, at most 19 digits. */
  UNPREFIXED(ValueType.BIGINT, true, in("prefix", ValueType.TEXT), in("value", ValueType.TEXT)),
  /** A UUID behind the name of its type, {@code user_01h455vb4pex5vsknk084sn02q}. */
  TYPEID_TEXT(ValueType.TEXT, true, in("prefix", ValueType.TEXT), in("id", ValueType.UUID)),
  /** The UUID of a TypeID of any type. */
  TYPEID_UUID(ValueType.UUID, true, in("value", ValueType.TEXT)),
  /**
   * The prefix of a TypeID ({@code user}) or of a number ({@code PM}), empty if it has none. What
   * could be both, 26 decimal digits, has none either way.
   */
  ID_PREFIX(ValueType.TEXT, true, in("value", ValueType.TEXT)),
  /** A pURI of three segments that are not percent-encoded yet. */
  PURI(
      ValueType.TEXT,
      true,
      in("namespace", ValueType.TEXT),
      in("collection", ValueType.TEXT),
      in("identifier", ValueType.TEXT)),
  /** The first segment of a pURI, decoded. */
  PURI_NAMESPACE(ValueType.TEXT, true, in("value", ValueType.TEXT)),
  /** The second segment of a pURI, decoded. */
  PURI_COLLECTION(ValueType.TEXT, true, in("value", ValueType.TEXT)),
  /** The third segment of a pURI, decoded. */
  PURI_IDENTIFIER(ValueType.TEXT, true, in("value", ValueType.TEXT));

  /** What a parameter or a result is, whatever an engine calls it. */
  public enum ValueType {
    /** Characters. */
    TEXT,
    /** 128 bits: the engine's own type, or 36 characters. */
    UUID,
    /** 64 bits. */
    BIGINT,
    /** 32 bits. */
    INTEGER,
    /** A point in time, not of any time zone. */
    TIME
  }

  /** A parameter: its name, and what it is. */
  public record Parameter(String name, ValueType type) {}

  private final ValueType result;
  private final boolean reads;

  @SuppressWarnings("ImmutableEnumChecker") // It is.
  private final List<Parameter> parameters;

  WarehouseFunction(ValueType result, boolean reads, Parameter... parameters) {
    this.result = result;
    this.reads = reads;
    this.parameters = List.of(parameters);
  }

  /** The name by which queries call it: {@code ulid_text}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it reads what somebody wrote, and so has a sibling that answers null. */
  public boolean hasTry() {
    return reads;
  }

  /** The name of the sibling that answers null where this one fails: {@code try_ulid_text}. */
  public String tryName() {
    if (!reads) {
      throw new IllegalStateException(label() + " reads nothing, and so has no sibling");
    }
    return "try_" + label();
  }

  /** What it returns. */
  public ValueType result() {
    return result;
  }

  /** What it takes, in order. */
  public List<Parameter> parameters() {
    return parameters;
  }

  /** All names that queries may call, each function before its sibling. */
  public static List<String> names() {
    return Arrays.stream(values())
        .flatMap(
            function ->
                function.reads
                    ? Stream.of(function.label(), function.tryName())
                    : Stream.of(function.label()))
        .toList();
  }

  private static Parameter in(String name, ValueType type) {
    return new Parameter(name, type);
  }
}
