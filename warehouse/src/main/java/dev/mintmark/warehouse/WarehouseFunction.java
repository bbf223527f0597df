package dev.mintmark.warehouse;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A function for analysts. It has the same name and returns the same results in every warehouse,
 * and the same name as in the SQL pack for PostgreSQL if the pack has it too.
 *
 * <p>A function returns null if an argument is null. It fails if a text is malformed, with the
 * message of {@link dev.mintmark.MalformedIdException}. A function that reads text has a {@code
 * try_} variant, {@link #tryName}, that returns null instead. A UUID has the type in which the
 * warehouse stores a PostgreSQL {@code uuid}. If the engine has no such type, a UUID is a text of
 * 36 characters, read in either letter case and written in lower case.
 */
public enum WarehouseFunction {
  ULID_TEXT("The 26 characters of a ULID.", ValueType.TEXT, true, in("id", ValueType.UUID)),
  ULID_UUID(
      "The UUID of the 26 characters of a ULID, in either letter case.",
      ValueType.UUID,
      true,
      in("value", ValueType.TEXT)),
  ULID_TIME(
      "The time at which a ULID or a UUIDv7 was minted, to the millisecond: its first 48 bits.",
      ValueType.TIME,
      true,
      in("id", ValueType.UUID)),
  ULID_MIN(
      "The smallest identifier of the millisecond of a time.",
      ValueType.UUID,
      false,
      in("moment", ValueType.TIME)),
  ULID_MAX(
      "The largest identifier of the millisecond of a time.",
      ValueType.UUID,
      false,
      in("moment", ValueType.TIME)),
  PREFIXED(
      "A number after a prefix, PM000123, with at least width digits, 0 to 18.",
      ValueType.TEXT,
      false,
      in("prefix", ValueType.TEXT),
      in("number", ValueType.BIGINT),
      in("width", ValueType.INTEGER)),
  UNPREFIXED(
      "The number after a prefix, of at most 19 digits, with or without leading zeros.",
      ValueType.BIGINT,
      true,
      in("prefix", ValueType.TEXT),
      in("value", ValueType.TEXT)),
  TYPEID_TEXT(
      "The TypeID of a prefix and a UUID, user_01h455vb4pex5vsknk084sn02q.",
      ValueType.TEXT,
      true,
      in("prefix", ValueType.TEXT),
      in("id", ValueType.UUID)),
  TYPEID_UUID(
      "The UUID of a TypeID with any prefix.", ValueType.UUID, true, in("value", ValueType.TEXT)),
  ID_PREFIX(
      "The prefix of a TypeID (user) or of a number (PM), empty if it has no prefix. A text of 26"
          + " decimal digits, which could be either, has no prefix.",
      ValueType.TEXT,
      true,
      in("value", ValueType.TEXT)),
  PURI(
      "The pURI of three segments, which the function percent-encodes.",
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

  /** The type of a parameter or a result. Each engine has its own name for it. */
  public enum ValueType {
    /** Characters. */
    TEXT,
    /** 128 bits: the type of the engine, or a text of 36 characters. */
    UUID,
    /** 64 bits. */
    BIGINT,
    /** 32 bits. */
    INTEGER,
    /** A point in time, independent of time zones. */
    TIME
  }

  /** A parameter: its name and its type. */
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

  /** Returns the name by which queries call the function: {@code ulid_text}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns a description of the result in one or two sentences, without quotes. */
  public String summary() {
    return summary;
  }

  /** Returns whether the function reads text, and so has a {@code try_} variant. */
  public boolean hasTry() {
    return reads;
  }

  /**
   * Returns the name of the variant that returns null instead of failing: {@code try_ulid_text}.
   *
   * @throws IllegalStateException if the function has no such variant
   */
  public String tryName() {
    if (!reads) {
      throw new IllegalStateException(label() + " has no try_ variant: it reads no text");
    }
    return "try_" + label();
  }

  /** Returns the type of the result. */
  public ValueType result() {
    return result;
  }

  /** Returns the parameters in order. */
  public List<Parameter> parameters() {
    return parameters;
  }

  /** Returns the names of all functions, each followed by the name of its {@code try_} variant. */
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
