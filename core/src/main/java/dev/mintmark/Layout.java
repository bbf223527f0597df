package dev.mintmark;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * How 128 bits are divided into fields: a table of one row for each kind of identifier, with the
 * fields in their order and by the names of the specification.
 */
enum Layout {
  /** The ULID specification. */
  ULID(
      "ulid",
      Clock.UNIX_MILLIS,
      plain(48, "timestamp", "milliseconds since 1970"),
      random(80, "randomness")),

  /** RFC 9562 section 5.1. */
  UUID_V1(
      "uuidv1",
      Clock.GREGORIAN,
      plain(32, "time_low", "lowest bits of the 100-nanosecond ticks since 1582-10-15"),
      plain(16, "time_mid", "middle bits of the ticks"),
      version(),
      plain(12, "time_high", "highest bits of the ticks"),
      variant(),
      plain(14, "clock_seq", "changed whenever the clock is set back"),
      plain(48, "node", "MAC address of the machine, or random bits in its place")),

  /** DCE 1.1 Authentication and Security Services, to which RFC 9562 section 5.2 refers. */
  UUID_V2(
      "uuidv2",
      Clock.NONE,
      plain(32, "local_id", "number of a user, group or organisation"),
      plain(16, "time_mid", "middle bits of the 100-nanosecond ticks since 1582-10-15"),
      version(),
      plain(12, "time_high", "highest bits of the ticks"),
      variant(),
      plain(6, "clock_seq", "changed whenever the clock is set back"),
      plain(8, "local_domain", "what local_id counts: 0 users, 1 groups, 2 organisations"),
      plain(48, "node", "MAC address of the machine, or random bits in its place")),

  /** RFC 9562 section 5.3. */
  UUID_V3(
      "uuidv3",
      Clock.NONE,
      plain(48, "md5_high", "first bits of the MD5 of a namespace and a name"),
      version(),
      plain(12, "md5_mid", "middle bits of the MD5"),
      variant(),
      plain(62, "md5_low", "last bits of the MD5")),

  /** RFC 9562 section 5.4. */
  UUID_V4(
      "uuidv4",
      Clock.NONE,
      random(48, "random_a"),
      version(),
      random(12, "random_b"),
      variant(),
      random(62, "random_c")),

  /** RFC 9562 section 5.5. */
  UUID_V5(
      "uuidv5",
      Clock.NONE,
      plain(48, "sha1_high", "first bits of the SHA-1 of a namespace and a name"),
      version(),
      plain(12, "sha1_mid", "middle bits of the SHA-1"),
      variant(),
      plain(62, "sha1_low", "further bits of the SHA-1")),

  /** RFC 9562 section 5.6. */
  UUID_V6(
      "uuidv6",
      Clock.GREGORIAN,
      plain(32, "time_high", "highest bits of the 100-nanosecond ticks since 1582-10-15"),
      plain(16, "time_mid", "middle bits of the ticks"),
      version(),
      plain(12, "time_low", "lowest bits of the ticks"),
      variant(),
      plain(14, "clock_seq", "changed whenever the clock is set back"),
      plain(48, "node", "random bits, or the MAC address of the machine")),

  /** RFC 9562 section 5.7. */
  UUID_V7(
      "uuidv7",
      Clock.UNIX_MILLIS,
      plain(48, "unix_ts_ms", "milliseconds since 1970"),
      version(),
      random(12, "rand_a"),
      variant(),
      random(62, "rand_b")),

  /** draft-peabody-dispatch-new-uuid-format of 2021, with its sub-second precision at 12 bits. */
  UUID_V7_DRAFT(
      "uuidv7-draft",
      Clock.DRAFT_SECONDS,
      plain(36, "unix_ts", "seconds since 1970"),
      plain(12, "msec", "milliseconds of the second"),
      version(),
      plain(12, "seq", "counter within the millisecond"),
      variant(),
      random(62, "rand")),

  /** RFC 9562 section 5.8. */
  UUID_V8(
      "uuidv8",
      Clock.NONE,
      plain(48, "custom_a", "whatever its maker chose"),
      version(),
      plain(12, "custom_b", "whatever its maker chose"),
      variant(),
      plain(62, "custom_c", "whatever its maker chose")),

  /** RFC 9562 section 5.9. */
  UUID_NIL("uuid", Clock.NONE, plain(128, "nil", "every bit is 0: no UUID at all")),

  /** RFC 9562 section 5.10. */
  UUID_MAX("uuid", Clock.NONE, plain(128, "max", "every bit is 1: behind every UUID")),

  /** The variant of RFC 9562 with a version that it leaves to the future. */
  UUID_OF_NO_VERSION(
      "uuid",
      Clock.NONE,
      plain(48, "opaque_a", "unknown"),
      version(),
      plain(12, "opaque_b", "unknown"),
      variant(),
      plain(62, "opaque_c", "unknown")),

  /** Another variant than that of RFC 9562, see its section 4.1. */
  UUID_OF_OTHER_VARIANT(
      "uuid",
      Clock.NONE,
      plain(64, "opaque_a", "unknown"),
      plain(3, "var", "variant: 0 to 3 of NCS, 6 of Microsoft, 7 to come"),
      plain(61, "opaque_b", "unknown"));

  /** A field and how many bits it takes. */
  record Slot(int width, String name, boolean isRandom, String meaning) {}

  /** Where a layout keeps the time, and since when it may have been in use. */
  enum Clock {
    NONE(Instant.MIN),
    UNIX_MILLIS(Instant.parse("1990-01-01T00:00:00Z")),
    GREGORIAN(Instant.parse("1990-01-01T00:00:00Z")),
    DRAFT_SECONDS(Instant.parse("2021-01-01T00:00:00Z"));

    private final Instant earliest;

    Clock(Instant earliest) {
      this.earliest = earliest;
    }

    Optional<Instant> read(Ulid bits) {
      return switch (this) {
        case NONE -> Optional.empty();
        case UNIX_MILLIS -> Optional.of(bits.time());
        case GREGORIAN -> Uuids.time(bits.toUuid());
        case DRAFT_SECONDS -> Optional.of(draftTime(bits.timeMillis()));
      };
    }

    private static Instant draftTime(long first48Bits) {
      return Instant.ofEpochSecond(first48Bits >>> 12).plusMillis(first48Bits & 0xFFFL);
    }
  }

  /** How far the clocks of two machines may be apart. */
  private static final Duration CLOCK_SKEW_MAX = Duration.ofDays(1);

  private static final int BITS = 128;

  private final String kind;
  private final Clock clock;

  @SuppressWarnings("ImmutableEnumChecker") // List.of makes it immutable.
  private final List<Slot> slots;

  Layout(String kind, Clock clock, Slot... slots) {
    this.kind = kind;
    this.clock = clock;
    this.slots = List.of(slots);
    int width = this.slots.stream().mapToInt(Slot::width).sum();
    if (width != 128) {
      throw new AssertionError(name() + " has " + width + " bits");
    }
  }

  /** Returns the layout that the version and variant of a UUID ask for. */
  static Layout of(UUID uuid) {
    long high = uuid.getMostSignificantBits();
    long low = uuid.getLeastSignificantBits();
    if (high == 0 && low == 0) {
      return UUID_NIL;
    }
    if (high == -1 && low == -1) {
      return UUID_MAX;
    }
    if (Uuids.variant(uuid) != Uuids.RFC_VARIANT) {
      return UUID_OF_OTHER_VARIANT;
    }
    return switch (Uuids.version(uuid)) {
      case 1 -> UUID_V1;
      case 2 -> UUID_V2;
      case 3 -> UUID_V3;
      case 4 -> UUID_V4;
      case 5 -> UUID_V5;
      case 6 -> UUID_V6;
      case 7 -> UUID_V7;
      case 8 -> UUID_V8;
      default -> UUID_OF_NO_VERSION;
    };
  }

  String kind() {
    return kind;
  }

  List<Slot> slots() {
    return slots;
  }

  /** Whether a UUID of this layout is one that RFC 9562 describes. */
  boolean isOfRfc() {
    return switch (this) {
      case ULID, UUID_V7_DRAFT, UUID_OF_NO_VERSION, UUID_OF_OTHER_VARIANT -> false;
      default -> true;
    };
  }

  /** The version of the UUID, for the layouts that are those of one. */
  OptionalInt version(Ulid bits) {
    return switch (this) {
      case ULID, UUID_NIL, UUID_MAX, UUID_OF_NO_VERSION, UUID_OF_OTHER_VARIANT ->
          OptionalInt.empty();
      default -> OptionalInt.of(Uuids.version(bits.toUuid()));
    };
  }

  Optional<Instant> time(Ulid bits) {
    return clock.read(bits);
  }

  /** Whether the time is later than any clock may show at {@code now}. */
  boolean isFromFuture(Ulid bits, Instant now) {
    return time(bits).filter(time -> time.isAfter(now.plus(CLOCK_SKEW_MAX))).isPresent();
  }

  /** Whether the time is earlier than this layout can have been in use. */
  boolean isFromBefore(Ulid bits) {
    return time(bits).filter(time -> time.isBefore(clock.earliest)).isPresent();
  }

  /** Whether bits of this layout can have been made by {@code now}; so can those without a time. */
  boolean isPlausible(Ulid bits, Instant now) {
    return !isFromFuture(bits, now) && !isFromBefore(bits);
  }

  /** Writes the bits in a form; empty where the form makes no sense for this layout. */
  Optional<String> write(Ulid bits, Form form) {
    return switch (form) {
      case PURI -> Optional.empty();
      case TIME -> time(bits).map(Form::timeText);
      case TIME_TEXT, RANDOMNESS_TEXT ->
          clock == Clock.UNIX_MILLIS ? Optional.of(form.write(bits)) : Optional.empty();
      default -> Optional.of(form.write(bits));
    };
  }

  /** The number that stands in {@code width} bits from {@code first} on. */
  static BigInteger value(Ulid bits, int first, int width) {
    BigInteger mask = BigInteger.ONE.shiftLeft(width).subtract(BigInteger.ONE);
    return bits.toBigInteger().shiftRight(BITS - first - width).and(mask);
  }

  private static Slot plain(int width, String name, String meaning) {
    return new Slot(width, name, false, meaning);
  }

  private static Slot random(int width, String name) {
    return new Slot(width, name, true, "random, or counted up within one instant");
  }

  private static Slot version() {
    return plain(4, "ver", "version of the UUID");
  }

  private static Slot variant() {
    return plain(2, "var", "variant of the UUID: 2 is that of RFC 9562");
  }
}
