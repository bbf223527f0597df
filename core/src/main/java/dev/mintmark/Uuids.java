package dev.mintmark;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * What {@link UUID} leaves out: strict reading, the unsigned order, the versions 4 and 7, and the
 * fields by the names that RFC 4122 and RFC 9562 gave them.
 *
 * <pre>
 *   017fe093 - 7adf - 9932 - aa aa - 01fd0ba14d3f
 *   time_low   |      |      |  |    node                48 bits
 *   32 bits    |      |      |  clock_seq_low             8 bits
 *              |      |      clock_seq_hi_variant         8 bits, the variant in the upper 2 to 3
 *              |      time_hi_version                    16 bits, the version in the upper 4
 *              time_mid                                  16 bits
 * </pre>
 *
 * <p>The accessors of fields take the bits as they stand, whichever version the UUID is of: that is
 * what Python's {@code uuid} does.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562">RFC 9562</a>
 */
public final class Uuids {
  /**
   * The order of the bytes, which is that of PostgreSQL and of the text. {@link UUID#compareTo} is
   * another one: it compares signed, and so puts {@code 8...} before {@code 0...}.
   */
  public static final Comparator<UUID> UNSIGNED = Uuids::compare;

  /** What {@link UUID#variant()} answers for the UUIDs of RFC 9562: the bits {@code 10}. */
  static final int RFC_VARIANT = 2;

  /** 1582-10-15T00:00Z, from which versions 1 and 6 count their 100-nanosecond ticks. */
  private static final Instant GREGORIAN = Instant.parse("1582-10-15T00:00:00Z");

  private static final long TICKS_PER_SECOND = 10_000_000;
  private static final int TICK_NANOS = 100;

  private static final long VERSION_MASK = 0xF000L;
  private static final int VERSION_SHIFT = 12;
  private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;
  private static final long VARIANT_BITS = 0x8000_0000_0000_0000L;

  private Uuids() {}

  /**
   * Reads the 36 characters of a UUID (RFC 9562 section 4), in either letter case. {@link
   * UUID#fromString} takes more for a UUID, {@code 1-1-1-1-1} for one.
   *
   * @throws MalformedIdException if there are not 36, one is not a hexadecimal digit, or a hyphen
   *     is not in its place
   */
  public static UUID parse(String text) {
    return HexNotation.HYPHENATED.parse(text);
  }

  /** Reads what {@link #parse} reads; empty where it throws. */
  public static Optional<UUID> tryParse(String text) {
    return HexNotation.HYPHENATED.decode(text);
  }

  /** Compares as unsigned numbers: below zero, zero or above as {@code a} is to {@code b}. */
  public static int compare(UUID a, UUID b) {
    int byHigh = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return byHigh != 0
        ? byHigh
        : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
  }

  /** Makes a UUIDv4 with 122 bits from {@link java.security.SecureRandom}. */
  public static UUID mintV4() {
    return mintV4(Entropy.strong());
  }

  /** Makes a UUIDv4 (RFC 9562 section 5.4) with 122 bits of entropy. */
  public static UUID mintV4(RandomGenerator entropy) {
    byte[] random = new byte[16];
    entropy.nextBytes(random);
    return stamped(Ulid.fromBytes(random), 4);
  }

  /** Makes a UUIDv7 of the system's time and 74 bits from {@link java.security.SecureRandom}. */
  public static UUID mintV7() {
    return mintV7(InstantSource.system(), Entropy.strong());
  }

  /**
   * Makes a UUIDv7 (RFC 9562 section 5.7) of the clock's time and 74 bits of entropy. Two of the
   * same millisecond are in random order.
   *
   * @throws IllegalArgumentException if the clock is before 1970 or after {@link
   *     Ulid#TIME_MILLIS_MAX}
   */
  public static UUID mintV7(InstantSource clock, RandomGenerator entropy) {
    return stamped(Ulid.mint(clock, entropy), 7);
  }

  /** The version digit, 0 to 15; one of an RFC only where {@link #variant} is 2, too. */
  public static int version(UUID uuid) {
    return timeHiVersion(uuid) >>> VERSION_SHIFT;
  }

  /**
   * The variant (RFC 9562 section 4.1), numbered as by {@link UUID#variant()}: 0 for NCS, 2 for RFC
   * 9562, 6 for Microsoft, 7 for those to come.
   */
  public static int variant(UUID uuid) {
    return uuid.variant();
  }

  /** Bits 0 to 31. */
  public static long timeLow(UUID uuid) {
    return uuid.getMostSignificantBits() >>> 32;
  }

  /** Bits 32 to 47. */
  public static int timeMid(UUID uuid) {
    return (int) (uuid.getMostSignificantBits() >>> 16) & 0xFFFF;
  }

  /** Bits 48 to 63, the version among them. */
  public static int timeHiVersion(UUID uuid) {
    return (int) uuid.getMostSignificantBits() & 0xFFFF;
  }

  /** Bits 66 to 79: the clock sequence without the variant. */
  public static int clockSeq(UUID uuid) {
    return (int) (uuid.getLeastSignificantBits() >>> 48) & 0x3FFF;
  }

  /** Bits 64 to 71, the variant among them. */
  public static int clockSeqHiVariant(UUID uuid) {
    return (int) (uuid.getLeastSignificantBits() >>> 56);
  }

  /** Bits 72 to 79. */
  public static int clockSeqLow(UUID uuid) {
    return (int) (uuid.getLeastSignificantBits() >>> 48) & 0xFF;
  }

  /** Bits 80 to 127. */
  public static long node(UUID uuid) {
    return uuid.getLeastSignificantBits() & 0xFFFF_FFFF_FFFFL;
  }

  /**
   * The time that a UUID of version 1 or 6 (to 100 nanoseconds) or 7 (to the millisecond) carries;
   * empty for every other version and variant.
   */
  public static Optional<Instant> time(UUID uuid) {
    if (variant(uuid) != RFC_VARIANT) {
      return Optional.empty();
    }
    long high = uuid.getMostSignificantBits();
    return switch (version(uuid)) {
      case 1 ->
          Optional.of(
              gregorian((high & 0xFFFL) << 48 | (long) timeMid(uuid) << 32 | timeLow(uuid)));
      case 6 -> Optional.of(gregorian((high >>> 16) << 12 | (high & 0xFFFL)));
      case 7 -> Optional.of(Instant.ofEpochMilli(high >>> 16));
      default -> Optional.empty();
    };
  }

  /**
   * Writes a UUID in the given form. Its {@link Form#TIME} is that of its version; {@link
   * Form#TIME_TEXT} and {@link Form#RANDOMNESS_TEXT} are those of version 7 only, in which the
   * first 48 bits count milliseconds. To read any other as a ULID, say so: {@link Ulid#of(UUID)}.
   *
   * @throws IllegalArgumentException if the UUID has no such form
   */
  public static String to(UUID uuid, Form form) {
    if (form == Form.PURI) {
      return form.write(Ulid.of(uuid));
    }
    return Layout.of(uuid)
        .write(Ulid.of(uuid), form)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "UUID " + uuid + " has no form " + Quoted.of(form.label())));
  }

  private static Instant gregorian(long ticks) {
    return GREGORIAN
        .plusSeconds(ticks / TICKS_PER_SECOND)
        .plusNanos(ticks % TICKS_PER_SECOND * TICK_NANOS);
  }

  private static UUID stamped(Ulid bits, long version) {
    return new UUID(
        (bits.mostSignificantBits() & ~VERSION_MASK) | (version << VERSION_SHIFT),
        (bits.leastSignificantBits() & ~VARIANT_MASK) | VARIANT_BITS);
  }
}
