package dev.mintmark;

import static dev.mintmark.Slot.fixed;
import static dev.mintmark.Slot.plain;
import static dev.mintmark.Slot.random;
import static dev.mintmark.Slot.ticks;
import static dev.mintmark.Slot.variant;
import static dev.mintmark.Slot.version;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The known kinds of identifiers: a table with one row for each, the more widespread first. A row
 * has the notations of the kind, the scale of its time, and its fields in their order and with the
 * names of its specification.
 *
 * <p>To add a format, add its row at the place of its likelihood; if it has a notation of its own,
 * add that to {@link Notation}. {@link Ranking} and {@link Inspector} need no change.
 */
@SuppressWarnings("ImmutableEnumChecker") // Its fields are records of immutable values.
enum Layout {
  /** RFC 9562 section 5.1. */
  UUID_V1(
      "uuidv1",
      Written.AS_UUID,
      Timescale.GREGORIAN,
      ticks(32, "time_low", 1, "lowest bits of the 100-nanosecond ticks since 1582-10-15"),
      ticks(16, "time_mid", 1L << 32, "middle bits of the ticks"),
      version(1),
      ticks(12, "time_high", 1L << 48, "highest bits of the ticks"),
      variant(),
      plain(14, "clock_seq", "changed whenever the clock is set back"),
      plain(48, "node", "MAC address of the machine, or random bits in its place")),

  /** DCE 1.1 Authentication and Security Services, to which RFC 9562 section 5.2 refers. */
  UUID_V2(
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
      plain(48, "node", "MAC address of the machine, or random bits in its place")),

  /** RFC 9562 section 5.3. */
  UUID_V3(
      "uuidv3",
      Written.AS_UUID,
      Timescale.NONE,
      plain(48, "md5_high", "first bits of the MD5 of a namespace and a name"),
      version(3),
      plain(12, "md5_mid", "middle bits of the MD5"),
      variant(),
      plain(62, "md5_low", "last bits of the MD5")),

  /** RFC 9562 section 5.4. */
  UUID_V4(
      "uuidv4",
      Written.AS_UUID,
      Timescale.NONE,
      random(48, "random_a"),
      version(4),
      random(12, "random_b"),
      variant(),
      random(62, "random_c")),

  /** RFC 9562 section 5.5. */
  UUID_V5(
      "uuidv5",
      Written.AS_UUID,
      Timescale.NONE,
      plain(48, "sha1_high", "first bits of the SHA-1 of a namespace and a name"),
      version(5),
      plain(12, "sha1_mid", "middle bits of the SHA-1"),
      variant(),
      plain(62, "sha1_low", "further bits of the SHA-1")),

  /** RFC 9562 section 5.6. */
  UUID_V6(
      "uuidv6",
      Written.AS_UUID,
      Timescale.GREGORIAN,
      ticks(32, "time_high", 1L << 28, "highest bits of the 100-nanosecond ticks since 1582-10-15"),
      ticks(16, "time_mid", 1L << 12, "middle bits of the ticks"),
      version(6),
      ticks(12, "time_low", 1, "lowest bits of the ticks"),
      variant(),
      plain(14, "clock_seq", "changed whenever the clock is set back"),
      plain(48, "node", "random bits, or the MAC address of the machine")),

  /** RFC 9562 section 5.7. */
  UUID_V7(
      "uuidv7",
      Written.AS_UUID,
      Timescale.UNIX_MILLIS,
      ticks(48, "unix_ts_ms", 1, "milliseconds since 1970"),
      version(7),
      random(12, "rand_a"),
      variant(),
      random(62, "rand_b")),

  /** RFC 9562 section 5.8. */
  UUID_V8(
      "uuidv8",
      Written.AS_UUID,
      Timescale.NONE,
      plain(48, "custom_a", "chosen by its generator"),
      version(8),
      plain(12, "custom_b", "chosen by its generator"),
      variant(),
      plain(62, "custom_c", "chosen by its generator")),

  /** RFC 9562 section 5.9. */
  UUID_NIL(
      "uuid",
      Written.AS_UUID,
      Timescale.NONE,
      fixed(128, "nil", BigInteger.ZERO, "every bit is 0: stands for a missing UUID")),

  /** RFC 9562 section 5.10. */
  UUID_MAX(
      "uuid",
      Written.AS_UUID,
      Timescale.NONE,
      fixed(128, "max", Slot.ones(128), "every bit is 1: sorts after every other UUID")),

  /** draft-peabody-dispatch-new-uuid-format of 2021, with its sub-second precision at 12 bits. */
  UUID_V7_DRAFT(
      "uuidv7-draft",
      Written.asUuid(Evidence.TIME).or(Evidence.TIME, Notation.ULID),
      Timescale.unix(1000, "2021-01-01T00:00:00Z"),
      ticks(36, "unix_ts", 1000, "seconds since 1970"),
      ticks(12, "msec", 1, "milliseconds of the second").below(1000),
      version(7),
      plain(12, "seq", "counter within the millisecond"),
      variant(),
      random(62, "rand")),

  /** The ULID specification. */
  ULID(
      "ulid",
      Written.asBits(Evidence.TIME)
          .or(Evidence.NOTATION, Notation.ULID, Notation.HYPHENATED_ULID)
          .or(Evidence.TIME, Notation.TYPEID),
      Timescale.UNIX_MILLIS,
      ticks(48, "timestamp", 1, "milliseconds since 1970"),
      random(80, "randomness")),

  /** The TypeID specification 0.3. */
  TYPEID(
      "typeid",
      Written.as(Evidence.NOTATION, Notation.TYPEID),
      Timescale.UNIX_MILLIS,
      ticks(48, "unix_ts_ms", 1, "milliseconds since 1970"),
      version(7),
      random(12, "rand_a"),
      variant(),
      random(62, "rand_b")),

  /**
   * The face that {@link Mask} gives an identifier; only its key reveals the contents of the block.
   */
  MASK(
      "mask",
      Written.as(Evidence.NOTATION, Notation.MASK),
      Timescale.NONE,
      plain(5, "key", "name of the key in the keyring"),
      fixed(2, "pad", BigInteger.ZERO, "always 0: 26 digits could hold 130 bits"),
      plain(128, "block", "the identifier, enciphered: read it with Mask.open and its keyring")),

  /** MongoDB's manual, "ObjectId"; until 2018 the middle was 24 bits of machine, 16 of process. */
  OBJECT_ID(
      "objectid",
      Written.as(Evidence.NOTATION, Notation.OBJECT_ID),
      Timescale.unix(1, "2009-01-01T00:00:00Z"),
      ticks(32, "timestamp", 1, "seconds since 1970"),
      random(40, "random"),
      plain(24, "counter", "counted up from a random start")),

  /** github.com/segmentio/ksuid. */
  KSUID(
      "ksuid",
      Written.as(Evidence.NOTATION, Notation.KSUID).or(Evidence.TIME, Notation.PREFIXED_KSUID),
      Timescale.from("2014-05-13T16:53:20Z", 1, "2014-05-13T16:53:20Z"),
      ticks(32, "timestamp", 1, "seconds since 2014-05-13T16:53:20Z"),
      random(128, "payload")),

  /** github.com/rs/xid: the fields of an old ObjectId. */
  XID(
      "xid",
      Written.as(Evidence.NOTATION, Notation.XID),
      Timescale.unix(1, "2009-01-01T00:00:00Z"),
      ticks(32, "timestamp", 1, "seconds since 1970"),
      plain(24, "machine", "hash of the machine's name"),
      plain(16, "pid", "number of the process"),
      plain(24, "counter", "counted up from a random start")),

  UNIX_SECONDS(
      "unix-seconds",
      Written.as(Evidence.TIME, Notation.NUMBER),
      Timescale.unix(1, "1990-01-01T00:00:00Z"),
      ticks(40, "seconds", 1, "seconds since 1970")),

  UNIX_MILLIS(
      "unix-millis",
      Written.as(Evidence.TIME, Notation.NUMBER),
      Timescale.UNIX_MILLIS,
      ticks(48, "milliseconds", 1, "milliseconds since 1970")),

  UNIX_MICROS(
      "unix-micros",
      Written.as(Evidence.TIME, Notation.NUMBER),
      Timescale.unix(1_000_000, "1990-01-01T00:00:00Z"),
      ticks(56, "microseconds", 1, "microseconds since 1970")),

  /** github.com/twitter-archive/snowflake: {@code IdWorker}. */
  SNOWFLAKE_TWITTER(
      "snowflake-twitter",
      Written.as(Evidence.TIME, Notation.NUMBER),
      Timescale.from("2010-11-04T01:42:54.657Z", 1000, "2010-11-05T00:00:00Z"),
      fixed(1, "sign", BigInteger.ZERO, "always 0: the number is positive"),
      ticks(41, "timestamp", 1, "milliseconds since 2010-11-04T01:42:54.657Z"),
      plain(5, "datacenter", "number of the data centre"),
      plain(5, "worker", "number of the worker in it"),
      plain(12, "sequence", "counter within the millisecond")),

  /** Discord's developer documentation, "Snowflakes". */
  SNOWFLAKE_DISCORD(
      "snowflake-discord",
      Written.as(Evidence.TIME, Notation.NUMBER),
      Timescale.from("2015-01-01T00:00:00Z", 1000, "2015-02-01T00:00:00Z"),
      ticks(42, "timestamp", 1, "milliseconds since 2015-01-01"),
      plain(5, "worker", "number of the worker"),
      plain(5, "process", "number of the process"),
      plain(12, "increment", "counted up with every id of the process")),

  /** github.com/f4b6a3/tsid-creator, github.com/vladmihalcea/hypersistence-tsid. */
  TSID(
      "tsid",
      Written.as(Evidence.NOTATION, Notation.TSID).or(Evidence.TIME, Notation.NUMBER),
      Timescale.from("2020-01-01T00:00:00Z", 1000, "2020-02-01T00:00:00Z"),
      ticks(42, "timestamp", 1, "milliseconds since 2020-01-01"),
      random(22, "random")),

  /** Instagram's "Sharding & IDs" of 2011, with the epoch of its example. */
  SNOWFLAKE_INSTAGRAM(
      "snowflake-instagram",
      Written.as(Evidence.TIME, Notation.NUMBER),
      Timescale.from("2011-08-24T21:07:01.721Z", 1000, "2011-09-01T00:00:00Z"),
      ticks(41, "timestamp", 1, "milliseconds since 2011-08-24T21:07:01.721Z"),
      plain(13, "shard", "number of the logical shard"),
      plain(10, "sequence", "counter within the shard, modulo 1024")),

  UNIX_NANOS(
      "unix-nanos",
      Written.as(Evidence.TIME, Notation.NUMBER),
      Timescale.unix(1_000_000_000, "1990-01-01T00:00:00Z"),
      ticks(64, "nanoseconds", 1, "nanoseconds since 1970")),

  /** github.com/sony/sonyflake, with its default start time. */
  SNOWFLAKE_SONY(
      "snowflake-sony",
      Written.as(Evidence.TIME, Notation.NUMBER),
      Timescale.from("2014-09-01T00:00:00Z", 100, "2015-05-01T00:00:00Z"),
      fixed(1, "sign", BigInteger.ZERO, "always 0: the number is positive"),
      ticks(39, "timestamp", 1, "units of 10 milliseconds since 2014-09-01"),
      plain(8, "sequence", "counter within the 10 milliseconds"),
      plain(16, "machine", "number of the machine")),

  /** A UUID of another version in the notation of a TypeID, which most libraries accept. */
  TYPEID_OF_OTHER_UUID(
      "typeid",
      Written.as(Evidence.LOOK, Notation.TYPEID),
      Timescale.NONE,
      plain(128, "uuid", "a UUID of another version")),

  /** The variant of RFC 9562 with a version that it reserves. */
  UUID_OF_NO_VERSION(
      "uuid",
      Written.asUuid(Evidence.LOOK).orBits(Evidence.NOTHING_ELSE),
      Timescale.NONE,
      plain(48, "opaque_a", "unknown"),
      plain(4, "ver", "version of the UUID"),
      plain(12, "opaque_b", "unknown"),
      variant(),
      plain(62, "opaque_c", "unknown")),

  /** Another variant than that of RFC 9562, see its section 4.1. */
  UUID_OF_OTHER_VARIANT(
      "uuid",
      Written.asUuid(Evidence.LOOK).orBits(Evidence.NOTHING_ELSE),
      Timescale.NONE,
      plain(64, "opaque_a", "unknown"),
      plain(3, "var", "variant: 0 to 3 of NCS, 6 of Microsoft, 7 to come"),
      plain(61, "opaque_b", "unknown")),

  /** A number of a database sequence. */
  SEQUENCE(
      "sequence",
      Written.as(Evidence.NOTATION, Notation.PREFIXED_NUMBER)
          .or(Evidence.LOOK, Notation.NUMBER, Notation.PADDED_NUMBER),
      Timescale.NONE,
      fixed(1, "sign", BigInteger.ZERO, "always 0: the number is positive"),
      plain(63, "number", "number of a sequence")),

  /** github.com/ai/nanoid, with its default length and alphabet. */
  NANOID(
      "nanoid", Written.as(Evidence.LOOK, Notation.NANOID), Timescale.NONE, random(126, "random"));

  /** The tolerated difference between the clocks of two machines. */
  static final Duration CLOCK_SKEW_MAX = Duration.ofDays(1);

  /** The most bits that a layout with forms has: those of a KSUID. */
  static final int WIDTH_MAX = 160;

  /** The bits of the widest number that forms of 128 bits can write. */
  private static final int ULID_BITS = 128;

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

  private final String kind;
  private final Written written;
  private final Timescale timescale;
  private final List<Slot> slots;
  private final int width;
  private final long earliestMillis;
  private final HighTime highTime;

  Layout(String kind, Written written, Timescale timescale, Slot... slots) {
    this.kind = kind;
    this.written = written;
    this.timescale = timescale;
    this.slots = List.of(slots);
    this.width = this.slots.stream().mapToInt(Slot::width).sum();
    this.earliestMillis =
        timescale.equals(Timescale.NONE) ? Long.MIN_VALUE : timescale.earliest().toEpochMilli();
    this.highTime = HighTime.of(this.slots, timescale);
  }

  /** A field with its number. */
  record Value(Slot slot, BigInteger number) {}

  /** The notations of a layout, and the evidence of each. */
  private record Written(Map<Notation, Evidence> evidence) {
    static final Written AS_UUID =
        asBits(Evidence.MARK).or(Evidence.MARK, Notation.ULID, Notation.HYPHENATED_ULID);

    static Written as(Evidence evidence, Notation... notations) {
      return new Written(Map.of()).or(evidence, notations);
    }

    static Written asUuid(Evidence evidence) {
      return as(evidence, Notation.OF_UUID.toArray(Notation[]::new));
    }

    static Written asBits(Evidence evidence) {
      return asUuid(evidence).orBits(evidence);
    }

    Written orBits(Evidence evidence) {
      return or(evidence, Notation.OF_BITS.toArray(Notation[]::new));
    }

    Written or(Evidence another, Notation... notations) {
      Map<Notation, Evidence> all = new HashMap<>(evidence);
      Arrays.stream(notations).forEach(notation -> all.put(notation, another));
      return new Written(Map.copyOf(all));
    }
  }

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

  String kind() {
    return kind;
  }

  List<Slot> slots() {
    return slots;
  }

  /** The number of bits. */
  int width() {
    return width;
  }

  /** Whether its number is the 128 bits of a ULID or UUID. */
  boolean hasUuid() {
    return width == ULID_BITS;
  }

  /** Whether identifiers have other forms: the bits of a mask are enciphered. */
  boolean isConvertible() {
    return this != MASK && this != NANOID;
  }

  /** Whether the version and the variant of a UUID mark this layout. */
  boolean isMarked() {
    return evidence(Notation.HYPHENATED).filter(Evidence.MARK::equals).isPresent();
  }

  /** The time in the first half of its 128 bits. */
  HighTime highTime() {
    return highTime;
  }

  /** The earliest plausible time in milliseconds since 1970. */
  long earliestMillis() {
    return earliestMillis;
  }

  /** Returns the number of a text in the first notation of the layout that it has, if any. */
  Optional<BigInteger> decode(String text) {
    return Arrays.stream(Notation.values())
        .filter(notation -> evidence(notation).isPresent())
        .flatMap(notation -> notation.decode(text).stream())
        .filter(this::fits)
        .findFirst();
  }

  /** The evidence that a text in this notation has this layout; empty if it cannot. */
  Optional<Evidence> evidence(Notation notation) {
    return Optional.ofNullable(written.evidence.get(notation));
  }

  /** Whether the number fits the bits of the layout and every field has a valid number. */
  boolean fits(BigInteger number) {
    return number.bitLength() <= width
        && values(number).stream().allMatch(value -> value.slot.admits(value.number));
  }

  /** The fields with their numbers, from the first to the last. */
  List<Value> values(BigInteger number) {
    List<Value> values = new ArrayList<>();
    int end = width;
    for (Slot slot : slots) {
      end -= slot.width();
      values.add(new Value(slot, number.shiftRight(end).and(Slot.ones(slot.width()))));
    }
    return values;
  }

  /** The version of the UUID, if the layout has one. */
  OptionalInt uuidVersion() {
    return slots.stream()
        .filter(slot -> slot.name().equals("ver") && slot.isFixed())
        .mapToInt(slot -> slot.first().intValue())
        .findFirst();
  }

  /** The time of the identifier, if the layout has one. */
  Optional<Instant> time(BigInteger number) {
    if (timescale.equals(Timescale.NONE)) {
      return Optional.empty();
    }
    BigInteger ticks =
        values(number).stream()
            .map(value -> value.number.multiply(BigInteger.valueOf(value.slot.ticks())))
            .reduce(BigInteger.ZERO, BigInteger::add);
    return Optional.of(timescale.at(ticks));
  }

  /** Whether the time is later than any clock may show at {@code now}. */
  boolean isFromFuture(BigInteger number, Instant now) {
    return time(number).filter(time -> time.isAfter(now.plus(CLOCK_SKEW_MAX))).isPresent();
  }

  /** Whether the time is earlier than this layout can have been in use. */
  boolean isFromBefore(BigInteger number) {
    return time(number).filter(time -> time.isBefore(timescale.earliest())).isPresent();
  }

  /** Whether it can have been made by {@code now}; true without a time. */
  boolean isPlausible(BigInteger number, Instant now) {
    return !isFromFuture(number, now) && !isFromBefore(number);
  }

  /** Whether every random bit is zero; false without random bits. */
  boolean hasNoRandomness(BigInteger number) {
    return slots.stream().anyMatch(Slot::isRandom)
        && values(number).stream()
            .allMatch(value -> !value.slot.isRandom() || value.number.signum() == 0);
  }

  /** Writes an identifier of 128 bits in a form; empty if that does not apply to the layout. */
  Optional<String> write(Ulid id, Form form) {
    return switch (form) {
      case PURI, COMPACT, MASK -> Optional.empty();
      case TIME -> time(id.toBigInteger()).map(Form::timeText);
      case TIME_TEXT, RANDOMNESS_TEXT ->
          timescale.equals(Timescale.UNIX_MILLIS) ? Optional.of(form.write(id)) : Optional.empty();
      default -> Optional.of(form.write(id));
    };
  }

  /** Writes an identifier in a form; empty if that does not apply to the layout. */
  Optional<String> write(BigInteger number, Form form) {
    if (width == ULID_BITS) {
      return write(Ulid.from(number), form);
    }
    if (width % Byte.SIZE != 0) {
      return Optional.empty();
    }
    return switch (form) {
      case HEX -> Optional.of(HexFormat.of().formatHex(bytes(number)));
      case BYTES -> Optional.of(HexFormat.ofDelimiter(" ").formatHex(bytes(number)));
      case INT -> Optional.of(number.toString());
      case TIME -> time(number).map(Form::timeText);
      default -> Optional.empty();
    };
  }

  /** As many bytes as the layout has, the most significant first. */
  private byte[] bytes(BigInteger number) {
    byte[] bytes = new byte[width / Byte.SIZE];
    for (int i = bytes.length - 1, shift = 0; i >= 0; i--, shift += Byte.SIZE) {
      bytes[i] = number.shiftRight(shift).byteValue();
    }
    return bytes;
  }
}
