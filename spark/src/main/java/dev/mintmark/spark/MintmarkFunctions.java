package dev.mintmark.spark;

import static org.apache.spark.sql.functions.call_function;

import dev.mintmark.warehouse.WarehouseFunction;
import org.apache.spark.sql.Column;

/**
 * The functions for Java and Scala, by the names that they have in queries, as Spark's own {@code
 * functions} has its own. The session needs {@link MintmarkExtensions}.
 *
 * <p>Null in, null out. A UUID is a string of 36 characters in either letter case, or a binary of
 * 16 bytes, and is returned as a string in lower case. Of what is malformed a function fails, with
 * an {@link org.apache.spark.SparkRuntimeException} whose cause is a {@link
 * dev.mintmark.MalformedIdException}; its sibling {@code try_...} answers null.
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

  /** The 26 characters of a ULID. */
  public static Column ulid_text(Column id) {
    return call_function("ulid_text", id);
  }

  /** What {@link #ulid_text} answers, or null where it fails. */
  public static Column try_ulid_text(Column id) {
    return call_function("try_ulid_text", id);
  }

  /** The UUID of the 26 characters of a ULID, in either letter case. */
  public static Column ulid_uuid(Column value) {
    return call_function("ulid_uuid", value);
  }

  /** What {@link #ulid_uuid} answers, or null where it fails. */
  public static Column try_ulid_uuid(Column value) {
    return call_function("try_ulid_uuid", value);
  }

  /** When a ULID or a UUIDv7 was minted, to the millisecond. */
  public static Column ulid_time(Column id) {
    return call_function("ulid_time", id);
  }

  /** What {@link #ulid_time} answers, or null where it fails. */
  public static Column try_ulid_time(Column id) {
    return call_function("try_ulid_time", id);
  }

  /** The least UUID of the millisecond that a time is in: 1970 to 10889-08-02T05:31:50.655Z. */
  public static Column ulid_min(Column moment) {
    return call_function("ulid_min", moment);
  }

  /** The greatest UUID of the millisecond that a time is in: 1970 to 10889-08-02T05:31:50.655Z. */
  public static Column ulid_max(Column moment) {
    return call_function("ulid_max", moment);
  }

  /** A number from 0 up behind a prefix, {@code PM000123}, of at least so many digits, 0 to 18. */
  public static Column prefixed(Column prefix, Column number, Column width) {
    return call_function("prefixed", prefix, number, width);
  }

  /** The number behind a prefix, with leading zeros or without, at most 19 digits. */
  public static Column unprefixed(Column prefix, Column value) {
    return call_function("unprefixed", prefix, value);
  }

  /** What {@link #unprefixed} answers, or null where it fails. */
  public static Column try_unprefixed(Column prefix, Column value) {
    return call_function("try_unprefixed", prefix, value);
  }

  /** A UUID behind the name of its type, {@code user_01h455vb4pex5vsknk084sn02q}. */
  public static Column typeid_text(Column prefix, Column id) {
    return call_function("typeid_text", prefix, id);
  }

  /** What {@link #typeid_text} answers, or null where it fails. */
  public static Column try_typeid_text(Column prefix, Column id) {
    return call_function("try_typeid_text", prefix, id);
  }

  /** The UUID of a TypeID of any type. */
  public static Column typeid_uuid(Column value) {
    return call_function("typeid_uuid", value);
  }

  /** What {@link #typeid_uuid} answers, or null where it fails. */
  public static Column try_typeid_uuid(Column value) {
    return call_function("try_typeid_uuid", value);
  }

  /** The prefix of a TypeID or of a number, empty if it has none. */
  public static Column id_prefix(Column value) {
    return call_function("id_prefix", value);
  }

  /** What {@link #id_prefix} answers, or null where it fails. */
  public static Column try_id_prefix(Column value) {
    return call_function("try_id_prefix", value);
  }

  /** A pURI of three segments that are not percent-encoded yet. */
  public static Column puri(Column namespace, Column collection, Column identifier) {
    return call_function("puri", namespace, collection, identifier);
  }

  /** What {@link #puri} answers, or null where it fails. */
  public static Column try_puri(Column namespace, Column collection, Column identifier) {
    return call_function("try_puri", namespace, collection, identifier);
  }

  /** The first segment of a pURI, decoded. */
  public static Column puri_namespace(Column value) {
    return call_function("puri_namespace", value);
  }

  /** What {@link #puri_namespace} answers, or null where it fails. */
  public static Column try_puri_namespace(Column value) {
    return call_function("try_puri_namespace", value);
  }

  /** The second segment of a pURI, decoded. */
  public static Column puri_collection(Column value) {
    return call_function("puri_collection", value);
  }

  /** What {@link #puri_collection} answers, or null where it fails. */
  public static Column try_puri_collection(Column value) {
    return call_function("try_puri_collection", value);
  }

  /** The third segment of a pURI, decoded. */
  public static Column puri_identifier(Column value) {
    return call_function("puri_identifier", value);
  }

  /** What {@link #puri_identifier} answers, or null where it fails. */
  public static Column try_puri_identifier(Column value) {
    return call_function("try_puri_identifier", value);
  }
}
