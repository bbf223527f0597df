package dev.mintmark;

import static dev.mintmark.Slot.fixed;
import static dev.mintmark.Slot.plain;
import static dev.mintmark.Slot.random;
import static dev.mintmark.Slot.ticks;
import static dev.mintmark.Slot.variant;
import static dev.mintmark.Slot.version;

import java.math.BigInteger;
import java.util.List;
import java.util.UUID;

/**
 * The layouts of RFC 9562 and those that have its version and variant. See {@link Layouts} for
 * their order.
 */
final class UuidLayouts {
  /** RFC 9562 section 5.1. */
  static final Layout UUID_V1 =
      new Layout(
          "uuidv1",
          Written.AS_UUID.or(
              Evidence.SHAPE,
              Notation.MYSQL_SWAPPED_UUID,
              Notation.SQL_SERVER_GUID,
              Notation.JAVA_LEGACY_UUID,
              Notation.SHORTUUID,
              Notation.UUID25),
          Timescale.GREGORIAN,
          ticks(32, "time_low", 1, "lowest bits of the 100-nanosecond ticks since 1582-10-15"),
          ticks(16, "time_mid", 1L << 32, "middle bits of the ticks"),
          version(1),
          ticks(12, "time_high", 1L << 48, "highest bits of the ticks"),
          variant(),
          plain(14, "clock_seq", "changed whenever the clock is set back"),
          plain(48, "node", "MAC address of the machine, or random bits in its place"));

  /** DCE 1.1 Authentication and Security Services, to which RFC 9562 section 5.2 refers. */
  static final Layout UUID_V2 =
      new Layout(
          "uuidv2",
          Written.AS_UUID,
          Timescale.NONE,
          plain(32, "local_id", "number of a user, group or organisation"),
          plain(16, "time_mid", "middle bits of the 100-nanosecond ticks since 1582-10-15"),
          version(2),
          plain(12, "time_high", "highest bits of the ticks"),
          variant(),
          plain(6, "clock_seq", "changed whenever the clock is set back"),
          plain(8, "local_domain", "what local_id counts: 0 users, 1 groups, 2 organisations"),
          plain(48, "node", "MAC address of the machine, or random bits in its place"));

  /** RFC 9562 section 5.3. */
  static final Layout UUID_V3 =
      new Layout(
          "uuidv3",
          Written.AS_UUID,
          Timescale.NONE,
          plain(48, "md5_high", "first bits of the MD5 of a namespace and a name"),
          version(3),
          plain(12, "md5_mid", "middle bits of the MD5"),
          variant(),
          plain(62, "md5_low", "last bits of the MD5"));

  /** RFC 9562 section 5.4. */
  static final Layout UUID_V4 =
      new Layout(
          "uuidv4",
          Written.AS_UUID.or(
              Evidence.SHAPE,
              Notation.SQL_SERVER_GUID,
              Notation.JAVA_LEGACY_UUID,
              Notation.SHORTUUID,
              Notation.UUID25),
          Timescale.NONE,
          random(48, "random_a"),
          version(4),
          random(12, "random_b"),
          variant(),
          random(62, "random_c"));

  /** RFC 9562 section 5.5. */
  static final Layout UUID_V5 =
      new Layout(
          "uuidv5",
          Written.AS_UUID,
          Timescale.NONE,
          plain(48, "sha1_high", "first bits of the SHA-1 of a namespace and a name"),
          version(5),
          plain(12, "sha1_mid", "middle bits of the SHA-1"),
          variant(),
          plain(62, "sha1_low", "further bits of the SHA-1"));

  /** RFC 9562 section 5.6. */
  static final Layout UUID_V6 =
      new Layout(
          "uuidv6",
          Written.AS_UUID,
          Timescale.GREGORIAN,
          ticks(
              32,
              "time_high",
              1L << 28,
              "highest bits of the 100-nanosecond ticks since 1582-10-15"),
          ticks(16, "time_mid", 1L << 12, "middle bits of the ticks"),
          version(6),
          ticks(12, "time_low", 1, "lowest bits of the ticks"),
          variant(),
          plain(14, "clock_seq", "changed whenever the clock is set back"),
          plain(48, "node", "random bits, or the MAC address of the machine"));

  /** RFC 9562 section 5.7. */
  static final Layout UUID_V7 =
      new Layout(
          "uuidv7",
          Written.AS_UUID.or(
              Evidence.SHAPE,
              Notation.SQL_SERVER_GUID,
              Notation.JAVA_LEGACY_UUID,
              Notation.SHORTUUID,
              Notation.UUID25),
          Timescale.UNIX_MILLIS,
          ticks(48, "unix_ts_ms", 1, "milliseconds since 1970"),
          version(7),
          random(12, "rand_a"),
          variant(),
          random(62, "rand_b"));

  /** RFC 9562 section 5.8. */
  static final Layout UUID_V8 =
      new Layout(
          "uuidv8",
          Written.AS_UUID,
          Timescale.NONE,
          plain(48, "custom_a", "chosen by its generator"),
          version(8),
          plain(12, "custom_b", "chosen by its generator"),
          variant(),
          plain(62, "custom_c", "chosen by its generator"));

  /** RFC 9562 section 5.9. */
  static final Layout UUID_NIL =
      new Layout(
          "uuid",
          Written.AS_UUID,
          Timescale.NONE,
          fixed(128, "nil", BigInteger.ZERO, "every bit is 0: stands for a missing UUID"));

  /** RFC 9562 section 5.10. */
  static final Layout UUID_MAX =
      new Layout(
          "uuid",
          Written.AS_UUID,
          Timescale.NONE,
          fixed(128, "max", Slot.ones(128), "every bit is 1: sorts after every other UUID"));

  /** draft-peabody-dispatch-new-uuid-format of 2021, with its sub-second precision at 12 bits. */
  static final Layout UUID_V7_DRAFT =
      new Layout(
          "uuidv7-draft",
          Written.asUuid(Evidence.TIME).or(Evidence.TIME, Notation.ULID),
          Timescale.unix(1000, "2021-01-01T00:00:00Z"),
          ticks(36, "unix_ts", 1000, "seconds since 1970"),
          ticks(12, "msec", 1, "milliseconds of the second").below(1000),
          version(7),
          plain(12, "seq", "counter within the millisecond"),
          variant(),
          random(62, "rand"));

  /** The variant of RFC 9562 with a version that it reserves. */
  static final Layout UUID_OF_NO_VERSION =
      new Layout(
          "uuid",
          Written.asUuid(Evidence.LOOK).orBits(Evidence.NOTHING_ELSE),
          Timescale.NONE,
          plain(48, "opaque_a", "unknown"),
          plain(4, "ver", "version of the UUID"),
          plain(12, "opaque_b", "unknown"),
          variant(),
          plain(62, "opaque_c", "unknown"));

  /** Another variant than that of RFC 9562, see its section 4.1. */
  static final Layout UUID_OF_OTHER_VARIANT =
      new Layout(
          "uuid",
          Written.asUuid(Evidence.LOOK).orBits(Evidence.NOTHING_ELSE),
          Timescale.NONE,
          plain(64, "opaque_a", "unknown"),
          plain(3, "var", "variant: 0 to 3 of NCS, 6 of Microsoft, 7 to come"),
          plain(61, "opaque_b", "unknown"));

  /** The rows of RFC 9562 by version; version 0 is none. */
  private static final List<Layout> BY_VERSION =
      List.of(
          UUID_OF_NO_VERSION,
          UUID_V1,
          UUID_V2,
          UUID_V3,
          UUID_V4,
          UUID_V5,
          UUID_V6,
          UUID_V7,
          UUID_V8);

  private UuidLayouts() {}

  /** Returns the layout for the version and variant of a UUID. */
  static Layout of(UUID uuid) {
    return of(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
  }

  /** As above for the two halves of a UUID. */
  static Layout of(long high, long low) {
    if (high == 0 && low == 0) {
      return UUID_NIL;
    }
    if (high == -1 && low == -1) {
      return UUID_MAX;
    }
    if (low >>> 62 != Uuids.RFC_VARIANT) {
      return UUID_OF_OTHER_VARIANT;
    }
    int version = (int) (high >>> 12) & 0xF;
    return version < BY_VERSION.size() ? BY_VERSION.get(version) : UUID_OF_NO_VERSION;
  }
}
