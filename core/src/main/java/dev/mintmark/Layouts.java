package dev.mintmark;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All layouts, the more widespread first: of two that nothing else distinguishes, the first wins.
 */
final class Layouts {
  static final List<Layout> ALL =
      List.of(
          UuidLayouts.UUID_V1,
          UuidLayouts.UUID_V2,
          UuidLayouts.UUID_V3,
          UuidLayouts.UUID_V4,
          UuidLayouts.UUID_V5,
          UuidLayouts.UUID_V6,
          UuidLayouts.UUID_V7,
          UuidLayouts.UUID_V8,
          UuidLayouts.UUID_NIL,
          UuidLayouts.UUID_MAX,
          UuidLayouts.UUID_V7_DRAFT,
          SortableLayouts.ULID,
          SortableLayouts.TYPEID,
          ShapeLayouts.MASK,
          SortableLayouts.OBJECT_ID,
          SortableLayouts.KSUID,
          SortableLayouts.XID,
          SortableLayouts.TID,
          SortableLayouts.CUID,
          SortableLayouts.PUSH_ID,
          SortableLayouts.SCRU128,
          SortableLayouts.TIMEFLAKE,
          SortableLayouts.UPID,
          SortableLayouts.ORDERLY_ID,
          SortableLayouts.DATADOG_TRACE,
          SortableLayouts.FLAKE,
          SortableLayouts.SCRU64,
          SortableLayouts.NANO64,
          SortableLayouts.PUID,
          AddressLayouts.IPV4,
          AddressLayouts.IPV6,
          AddressLayouts.MAC,
          AddressLayouts.MD5,
          AddressLayouts.SHA_1,
          AddressLayouts.DIGEST_224,
          AddressLayouts.DIGEST_256,
          AddressLayouts.DIGEST_384,
          AddressLayouts.DIGEST_512,
          AddressLayouts.SWHID,
          AddressLayouts.IPFS_V0,
          AddressLayouts.IPFS_V1,
          AddressLayouts.IPNS,
          AddressLayouts.ETHEREUM,
          AddressLayouts.BITCOIN,
          AddressLayouts.BITCOIN_SEGWIT,
          CheckedLayouts.IBAN,
          NumberLayouts.UNIX_SECONDS,
          NumberLayouts.UNIX_MILLIS,
          NumberLayouts.UNIX_MICROS,
          CheckedLayouts.ISBN_13,
          CheckedLayouts.IMEI,
          NumberLayouts.SNOWFLAKE_TWITTER,
          NumberLayouts.SNOWFLAKE_DISCORD,
          SortableLayouts.TSID,
          NumberLayouts.SNOWFLAKE_INSTAGRAM,
          NumberLayouts.UNIX_NANOS,
          NumberLayouts.SNOWFLAKE_SONY,
          NumberLayouts.SNOWFLAKE_OF_1970,
          NumberLayouts.SNOWFLAKE_MASTODON,
          NumberLayouts.FROSTFLAKE,
          NumberLayouts.SIMPLEFLAKE,
          CheckedLayouts.ISBN_10,
          CheckedLayouts.EAN_13,
          CheckedLayouts.EAN_8,
          CheckedLayouts.UPC_A,
          CheckedLayouts.GTIN_14,
          CheckedLayouts.VIN,
          CheckedLayouts.H3,
          SortableLayouts.TYPEID_OF_OTHER_UUID,
          UuidLayouts.UUID_OF_NO_VERSION,
          UuidLayouts.UUID_OF_OTHER_VARIANT,
          NumberLayouts.SEQUENCE,
          ShapeLayouts.NANOID,
          ShapeLayouts.CUID2,
          ShapeLayouts.YOUTUBE,
          ShapeLayouts.SHORTCODE,
          ShapeLayouts.SNOWID,
          ShapeLayouts.SPOTIFY,
          ShapeLayouts.NUID,
          ShapeLayouts.GOOGLE_DOCS,
          ShapeLayouts.SLACK,
          ShapeLayouts.ASIN,
          ShapeLayouts.BREEZE_ID,
          ShapeLayouts.DUNS,
          ShapeLayouts.SQID,
          ShapeLayouts.HASHID,
          SortableLayouts.SHORT_PUID);

  private static final Map<Layout, Integer> PLACES = places();

  /** The kinds of readings that no layout has. */
  private static final Set<String> OTHER_KINDS = Set.of("prefixed", "puri");

  private Layouts() {}

  /** The place of a layout in {@link #ALL}. */
  static int place(Layout layout) {
    return PLACES.getOrDefault(layout, ALL.size());
  }

  /** Whether a reading, or a collection of the catalog, has a kind of that name. */
  static boolean isKind(String name) {
    return OTHER_KINDS.contains(name)
        || ALL.stream().anyMatch(layout -> layout.kind().equals(name))
        || Arrays.stream(Kind.values()).anyMatch(kind -> kind.label().equals(name));
  }

  private static Map<Layout, Integer> places() {
    Map<Layout, Integer> places = new HashMap<>();
    ALL.forEach(layout -> places.put(layout, places.size()));
    return places;
  }
}
