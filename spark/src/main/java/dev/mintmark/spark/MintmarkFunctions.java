package dev.mintmark.spark;

import static org.apache.spark.sql.functions.call_function;

import dev.mintmark.warehouse.WarehouseFunction;
import org.apache.spark.sql.Column;

/**
 * The functions for Java and Scala, under the names that they have in queries, as in {@code
 * functions} of Spark. The session needs {@link MintmarkExtensions}.
 *
 * <p>A function returns null if an argument is null. A UUID is a string of 36 characters in either
 * letter case, or a binary of 16 bytes. A UUID is returned as a string in lower case. A function
 * fails for a malformed argument with an {@link org.apache.spark.SparkRuntimeException} whose cause
 * is a {@link dev.mintmark.MalformedIdException}. Its variant {@code try_...} returns null instead.
 *
 * <pre>{@code
 * import static dev.mintmark.spark.MintmarkFunctions.*;
 *
 * orders.select(ulid_text(col("id")), ulid_time(col("id")));
 * }</pre>
 *
 * @see WarehouseFunction
 */
public final class MintmarkFunctions {
  private MintmarkFunctions() {}

  /** Returns the 26 characters of a ULID. */
  public static Column ulid_text(Column id) {
    return call_function("ulid_text", id);
  }

  /** Returns the result of {@link #ulid_text}, or null if it fails. */
  public static Column try_ulid_text(Column id) {
    return call_function("try_ulid_text", id);
  }

  /** Returns the UUID of the 26 characters of a ULID, in either letter case. */
  public static Column ulid_uuid(Column value) {
    return call_function("ulid_uuid", value);
  }

  /** Returns the result of {@link #ulid_uuid}, or null if it fails. */
  public static Column try_ulid_uuid(Column value) {
    return call_function("try_ulid_uuid", value);
  }

  /** Returns the time at which a ULID or a UUIDv7 was minted, to the millisecond. */
  public static Column ulid_time(Column id) {
    return call_function("ulid_time", id);
  }

  /** Returns the result of {@link #ulid_time}, or null if it fails. */
  public static Column try_ulid_time(Column id) {
    return call_function("try_ulid_time", id);
  }

  /** Returns the smallest UUID of the millisecond of a time, 1970 to 10889-08-02T05:31:50.655Z. */
  public static Column ulid_min(Column moment) {
    return call_function("ulid_min", moment);
  }

  /** Returns the largest UUID of the millisecond of a time, 1970 to 10889-08-02T05:31:50.655Z. */
  public static Column ulid_max(Column moment) {
    return call_function("ulid_max", moment);
  }

  /**
   * Returns a number of 0 or more after a prefix, {@code PM000123}, with at least {@code width}
   * digits, 0 to 18.
   */
  public static Column prefixed(Column prefix, Column number, Column width) {
    return call_function("prefixed", prefix, number, width);
  }

  /** Returns the number after a prefix, of at most 19 digits, with or without leading zeros. */
  public static Column unprefixed(Column prefix, Column value) {
    return call_function("unprefixed", prefix, value);
  }

  /** Returns the result of {@link #unprefixed}, or null if it fails. */
  public static Column try_unprefixed(Column prefix, Column value) {
    return call_function("try_unprefixed", prefix, value);
  }

  /** Returns the TypeID of a prefix and a UUID, {@code user_01h455vb4pex5vsknk084sn02q}. */
  public static Column typeid_text(Column prefix, Column id) {
    return call_function("typeid_text", prefix, id);
  }

  /** Returns the result of {@link #typeid_text}, or null if it fails. */
  public static Column try_typeid_text(Column prefix, Column id) {
    return call_function("try_typeid_text", prefix, id);
  }

  /** Returns the UUID of a TypeID with any prefix. */
  public static Column typeid_uuid(Column value) {
    return call_function("typeid_uuid", value);
  }

  /** Returns the result of {@link #typeid_uuid}, or null if it fails. */
  public static Column try_typeid_uuid(Column value) {
    return call_function("try_typeid_uuid", value);
  }

  /** Returns the prefix of a TypeID or of a number, empty if it has no prefix. */
  public static Column id_prefix(Column value) {
    return call_function("id_prefix", value);
  }

  /** Returns the result of {@link #id_prefix}, or null if it fails. */
  public static Column try_id_prefix(Column value) {
    return call_function("try_id_prefix", value);
  }

  /** Returns the pURI of three segments, and percent-encodes them. */
  public static Column puri(Column namespace, Column collection, Column identifier) {
    return call_function("puri", namespace, collection, identifier);
  }

  /** Returns the result of {@link #puri}, or null if it fails. */
  public static Column try_puri(Column namespace, Column collection, Column identifier) {
    return call_function("try_puri", namespace, collection, identifier);
  }

  /** Returns the first segment of a pURI, decoded. */
  public static Column puri_namespace(Column value) {
    return call_function("puri_namespace", value);
  }

  /** Returns the result of {@link #puri_namespace}, or null if it fails. */
  public static Column try_puri_namespace(Column value) {
    return call_function("try_puri_namespace", value);
  }

  /** Returns the second segment of a pURI, decoded. */
  public static Column puri_collection(Column value) {
    return call_function("puri_collection", value);
  }

  /** Returns the result of {@link #puri_collection}, or null if it fails. */
  public static Column try_puri_collection(Column value) {
    return call_function("try_puri_collection", value);
  }

  /** Returns the third segment of a pURI, decoded. */
  public static Column puri_identifier(Column value) {
    return call_function("puri_identifier", value);
  }

  /** Returns the result of {@link #puri_identifier}, or null if it fails. */
  public static Column try_puri_identifier(Column value) {
    return call_function("try_puri_identifier", value);
  }
}
