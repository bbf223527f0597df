package dev.mintmark.operations.migrate;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What only the SQL of migrations knows of a kind: one row for each. Nothing else in this package
 * distinguishes kinds.
 *
 * @param mint the call by which the server mints identifiers; empty if it cannot
 * @param others other calls that mint the same kind, as the server writes them
 * @param inOrder what mints in ascending order; empty if the kind has no order
 * @param fill makes an identifier of the time of a row, which is an expression of timestamptz;
 *     empty if SQL cannot
 * @param textForm the form of texts of which a column holds none yet
 */
record KindSql(
    Optional<String> mint,
    List<String> others,
    Optional<InOrder> inOrder,
    Optional<UnaryOperator<String>> fill,
    TextToUuid.Form textForm) {
  /**
   * What mints in ascending order.
   *
   * @param mint the call by which the server mints identifiers that ascend across sessions
   * @param ofTick makes an identifier of a tick: milliseconds and 18 bits of a counter, an
   *     expression of bigint
   */
  record InOrder(String mint, UnaryOperator<String> ofTick) {}

  /** A ULID in the form of a UUIDv7, by the functions of the pack that {@code ulids(n)} calls. */
  private static final InOrder BY_CLOCK =
      new InOrder(
          "mintmark.ulid_monotonic()",
          tick ->
              "mintmark.ulid_of_tick("
                  + tick
                  + ", substring(pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) from 9))");

  /** The native function of PostgreSQL 18. */
  private static final String NATIVE_UUIDV7 = "uuidv7()";

  /**
   * A UUIDv7 of a time, whose bits are a valid ULID: milliseconds over a UUIDv4, whose version 4
   * becomes 7 by two bits. The parameter is a timestamptz. Before 1970, or without a time, it is
   * taken for that; after the last time of 48 bits, as infinity is, for the last one.
   */
  private static final String MINTED_AT =
      "pg_catalog.encode(pg_catalog.set_bit(pg_catalog.set_bit(overlay(pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) placing"
          + " substring(pg_catalog.int8send(%s) from 3)"
          + " from 1 for 6), 52, 1), 53, 1), 'hex')::uuid";

  private static final long MILLIS_MAX = (1L << 48) - 1;

  private static final KindSql NOT_BY_SERVER =
      new KindSql(
          Optional.empty(), List.of(), Optional.empty(), Optional.empty(), TextToUuid.Form.UUID);

  static final Map<Kind, KindSql> ROWS =
      Map.ofEntries(
          Map.entry(
              Kind.ULID,
              minted("mintmark.ulid()", KindSql::mintedAt, TextToUuid.Form.ULID)
                  .ascending("mintmark.uuidv7()", NATIVE_UUIDV7)),
          Map.entry(
              Kind.UUIDV7,
              minted("mintmark.uuidv7()", KindSql::mintedAt, TextToUuid.Form.UUID)
                  .ascending(NATIVE_UUIDV7)),
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
              Kind.TYPEID,
              minted("mintmark.uuidv7()", KindSql::mintedAt, TextToUuid.Form.UUID)
                  .ascending(NATIVE_UUIDV7)),
          Map.entry(Kind.TEXT, NOT_BY_SERVER));

  /** Makes what the column of a collection holds of a tick; empty if its kind has no order. */
  static Optional<UnaryOperator<String>> ofTick(CollectionSpec collection) {
    return of(collection)
        .inOrder()
        .map(order -> tick -> stored(collection).apply(order.ofTick().apply(tick)));
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
  static UnaryOperator<String> stored(CollectionSpec collection) {
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

  private static String mintedAt(String at) {
    return MINTED_AT.formatted(millis(at, MILLIS_MAX));
  }

  /**
   * The milliseconds since 1970 of a timestamptz: 0 before 1970 and without a time, {@code max} for
   * later ones and for infinity.
   */
  static String millis(String at, long max) {
    return "least(%s::bigint, least(1e18::float8, greatest(0::float8, pg_catalog.date_part('epoch', %s) * 1000000::float8))::bigint / 1000::bigint)"
        .formatted(max, at);
  }

  private static KindSql minted(String mint, UnaryOperator<String> fill, TextToUuid.Form textForm) {
    return new KindSql(Optional.of(mint), List.of(), Optional.empty(), Optional.of(fill), textForm);
  }

  /** Adds the mint in ascending order, and other calls that mint the same kind. */
  private KindSql ascending(String... same) {
    return new KindSql(mint, List.of(same), Optional.of(BY_CLOCK), fill, textForm);
  }
}
