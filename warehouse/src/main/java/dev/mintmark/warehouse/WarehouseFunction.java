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
  ULID_TEXT("The 26 characters of a ULID.", ValueType.TEXT, true, in("id", ValueType.UUID)),
  ULID_UUID(
      "The UUID of the 26 characters of a ULID, in either letter case.",
      ValueType.UUID,
      true,
      in("value", ValueType.TEXT)),
  ULID_TIME(
      "When a ULID or a UUIDv7 was minted, to the millisecond: its first 48 bits.",
      ValueType.TIME,
      true,
      in("id", ValueType.UUID)),
  ULID_MIN(
      "The least identifier of the millisecond that a time is in.",
      ValueType.UUID,
      false,
      in("moment", ValueType.TIME)),
  ULID_MAX(
      "The greatest identifier of the millisecond that a time is in.",
      ValueType.UUID,
      false,
      in("moment", ValueType.TIME)),
  PREFIXED(
      "A number behind a prefix, PM000123: of at least so many digits, 0 to 18.",
      ValueType.TEXT,
      false,
      in("prefix", ValueType.TEXT),
      in("number", ValueType.BIGINT),
      in("width", ValueType.INTEGER)),
  UNPREFIXED(
      "The number behind a prefix, with leading zeros or without, at most 19 digits.",
      ValueType.BIGINT,
      true,
      in("prefix", ValueType.TEXT),
      in("value", ValueType.TEXT)),
  TYPEID_TEXT(
      "A UUID behind the name of its type, user_01h455vb4pex5vsknk084sn02q.",
      ValueType.TEXT,
      true,
      in("prefix", ValueType.TEXT),
      in("id", ValueType.UUID)),
  TYPEID_UUID(
      "The UUID of a TypeID of any type.", ValueType.UUID, true, in("value", ValueType.TEXT)),
  ID_PREFIX(
      "The prefix of a TypeID (user) or of a number (PM), empty if it has none. What could be both, 26 decimal digits, has none either way.",
      ValueType.TEXT,
      true,
      in("value", ValueType.TEXT)),
  PURI(
      "A pURI of three segments that are not percent-encoded yet.",
      ValueType.TEXT,
      true,
      in("namespace", ValueType.TEXT),
      in("collection", ValueType.TEXT),
      in("identifier", ValueType.TEXT)),
  PURI_NAMESPACE(
      "The first segment of a pURI, decoded.", ValueType.TEXT, true, in("value", ValueType.TEXT)),
  PURI_COLLECTION(
      "The second segment of a pURI, decoded.", ValueType.TEXT, true, in("value", ValueType.TEXT)),
  PURI_IDENTIFIER(
      "The third segment of a pURI, decoded.", ValueType.TEXT, true, in("value", ValueType.TEXT));

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

  private final String summary;
  private final ValueType result;
  private final boolean reads;

  @SuppressWarnings("ImmutableEnumChecker") // It is.
  private final List<Parameter> parameters;

  WarehouseFunction(String summary, ValueType result, boolean reads, Parameter... parameters) {
    this.summary = summary;
    this.result = result;
    this.reads = reads;
    this.parameters = List.of(parameters);
  }

  /** The name by which queries call it: {@code ulid_text}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it answers, in a sentence or two for people, without quotes. */
  public String summary() {
    return summary;
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
