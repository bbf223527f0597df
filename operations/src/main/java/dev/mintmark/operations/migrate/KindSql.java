package dev.mintmark.operations.migrate;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What only the SQL of migrations knows of a kind: one row for each. Nothing else in this package
 * distinguishes kinds.
 *
 * @param mint the default by which the server mints identifiers; empty if it cannot
 * @param fill makes an identifier of the time of a row, which is an expression of timestamptz;
 *     empty if SQL cannot
 * @param textForm the form of texts of which a column holds none yet
 */
record KindSql(
    Optional<String> mint, Optional<UnaryOperator<String>> fill, TextToUuid.Form textForm) {
  /**
   * A UUIDv7 of a time, whose bits are a valid ULID: milliseconds over a UUIDv4, whose version 4
   * becomes 7 by two bits. The parameter is a timestamptz, and before 1970 it is taken for that.
   */
  private static final String MINTED_AT =
      "pg_catalog.encode(pg_catalog.set_bit(pg_catalog.set_bit(overlay(pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) placing"
          + " substring(pg_catalog.int8send(greatest(0::bigint, (pg_catalog.date_part('epoch', %s) * 1000000::float8)::bigint / 1000::bigint)) from 3)"
          + " from 1 for 6), 52, 1), 53, 1), 'hex')::uuid";

  private static final KindSql NOT_BY_SERVER =
      new KindSql(Optional.empty(), Optional.empty(), TextToUuid.Form.UUID);

  static final Map<Kind, KindSql> ROWS =
      Map.ofEntries(
          Map.entry(
              Kind.ULID, minted("mintmark.ulid()", MINTED_AT::formatted, TextToUuid.Form.ULID)),
          Map.entry(
              Kind.UUIDV7, minted("mintmark.uuidv7()", MINTED_AT::formatted, TextToUuid.Form.UUID)),
          Map.entry(
              Kind.UUIDV4,
              minted(
                  "gen_random_uuid()", at -> "pg_catalog.gen_random_uuid()", TextToUuid.Form.UUID)),
          Map.entry(Kind.SEQUENCE, NOT_BY_SERVER),
          Map.entry(Kind.NANOID, NOT_BY_SERVER),
          Map.entry(Kind.SNOWFLAKE, NOT_BY_SERVER),
          Map.entry(Kind.TSID, NOT_BY_SERVER),
          Map.entry(Kind.KSUID, NOT_BY_SERVER),
          Map.entry(Kind.OBJECTID, NOT_BY_SERVER),
          Map.entry(Kind.XID, NOT_BY_SERVER),
          Map.entry(
              Kind.TYPEID, minted("mintmark.uuidv7()", MINTED_AT::formatted, TextToUuid.Form.UUID)),
          Map.entry(Kind.TEXT, NOT_BY_SERVER));

  /** The default by which the server mints what the column of a collection holds. */
  static Optional<String> mint(CollectionSpec collection) {
    return of(collection).mint().map(stored(collection));
  }

  /** Makes what the column of a collection holds of the time of a row. */
  static Optional<UnaryOperator<String>> fill(CollectionSpec collection) {
    return of(collection).fill().map(fill -> at -> stored(collection).apply(fill.apply(at)));
  }

  /** The bytes of what the column of a collection holds. */
  static int bytes(CollectionSpec collection) {
    if (collection.storage() != Kind.Storage.TEXT) {
      return Long.BYTES * 2;
    }
    return isPrefixed(collection)
        ? separated(collection).length() + TextToUuid.Form.ULID.length()
        : of(collection).textForm().length();
  }

  /** From an identifier as a uuid to what the column of a collection holds. */
  private static UnaryOperator<String> stored(CollectionSpec collection) {
    if (collection.storage() != Kind.Storage.TEXT) {
      return uuid -> uuid;
    }
    // A TypeID ends with the digits of a ULID in small letters.
    return isPrefixed(collection)
        ? uuid ->
            SqlLiteral.of(separated(collection))
                + "::text || pg_catalog.lower("
                + TextToUuid.Form.ULID.text(uuid)
                + ")"
        : of(collection).textForm()::text;
  }

  private static boolean isPrefixed(CollectionSpec collection) {
    return collection.kind().has(Kind.Option.PREFIX);
  }

  private static String separated(CollectionSpec collection) {
    return collection.prefix().map(prefix -> prefix + "_").orElse("");
  }

  /** The row of the kind of a collection. */
  static KindSql of(CollectionSpec collection) {
    return Optional.ofNullable(ROWS.get(collection.kind()))
        .orElseThrow(
            () -> new IllegalStateException("no row for kind " + collection.kind().label()));
  }

  private static KindSql minted(String mint, UnaryOperator<String> fill, TextToUuid.Form textForm) {
    return new KindSql(Optional.of(mint), Optional.of(fill), textForm);
  }
}
