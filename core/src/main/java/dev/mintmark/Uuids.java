package dev.mintmark;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Operations that {@link UUID} lacks: strict parsing, unsigned order, versions 1 and 3 to 8, time
 * ranges, and the fields by their names in RFC 4122 and RFC 9562.
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
 * <p>The accessors of fields return the bits for a UUID of any version, as Python's {@code uuid}
 * does.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562">RFC 9562</a>
 */
public final class Uuids {
  /**
   * The order of the bytes, of the text and of PostgreSQL. {@link UUID#compareTo} compares signed,
   * so it sorts {@code 8...} before {@code 0...}.
   */
  public static final Comparator<UUID> UNSIGNED = Uuids::compare;

  /** The nil UUID (RFC 9562 section 5.9): all bits are zero. */
  public static final UUID NIL = new UUID(0, 0);

  /** The max UUID (RFC 9562 section 5.10): all bits are one. */
  public static final UUID MAX = new UUID(-1, -1);

  /** The namespace of fully qualified domain names (RFC 9562 section 6.6). */
  public static final UUID NAMESPACE_DNS = namespace(0x6ba7b810);

  /** The namespace of URLs (RFC 9562 section 6.6). */
  public static final UUID NAMESPACE_URL = namespace(0x6ba7b811);

  /** The namespace of ISO object identifiers (RFC 9562 section 6.6). */
  public static final UUID NAMESPACE_OID = namespace(0x6ba7b812);

  /** The namespace of X.500 distinguished names (RFC 9562 section 6.6). */
  public static final UUID NAMESPACE_X500 = namespace(0x6ba7b814);

  /** The value of {@link UUID#variant()} for the UUIDs of RFC 9562: the bits {@code 10}. */
  static final int RFC_VARIANT = 2;

  /** 1582-10-15T00:00Z, from which versions 1 and 6 count their 100-nanosecond ticks. */
  private static final Instant GREGORIAN = Instant.parse("1582-10-15T00:00:00Z");

  /** The first bit that a network sends of a node: of no network card (RFC 9562 section 6.10). */
  private static final long NODE_MULTICAST = 1L << 40;

  private static final String URN = "urn:uuid:";

  private static final long TICKS_PER_SECOND = 10_000_000;
  private static final int TICK_NANOS = 100;

  /** The last tick that 60 bits count. */
  private static final Instant GREGORIAN_LAST = gregorian(-1L >>> 4);

  private static final Recycler<MessageDigest> MD5 = new Recycler<>(() -> digest("MD5"));
  private static final Recycler<MessageDigest> SHA1 = new Recycler<>(() -> digest("SHA-1"));

  private static final long VERSION_MASK = 0xF000L;
  private static final int VERSION_SHIFT = 12;
  private static final long VARIANT_MASK = 0xC000_0000_0000_0000L;
  private static final long VARIANT_BITS = 0x8000_0000_0000_0000L;

  private Uuids() {}

  /**
   * Reads the 36 characters of a UUID (RFC 9562 section 4), in either letter case. {@link
   * UUID#fromString} also accepts other texts, such as {@code 1-1-1-1-1}.
   *
   * @throws MalformedIdException if there are not 36, one is not a hexadecimal digit, or a hyphen
   *     is not in its place
   */
  public static UUID parse(String text) {
    return HexNotation.HYPHENATED.parse(text);
  }

  /** Reads what {@link #parse} reads; empty if it throws. */
  public static Optional<UUID> tryParse(String text) {
    return HexNotation.HYPHENATED.decode(text);
  }

  /**
   * Reads a UUID as people paste it, in either letter case. White space around it is ignored,
   * hyphens may be missing or anywhere, and it may be in braces or after {@code urn:uuid:}.
   *
   * @throws MalformedIdException if there are not 32 hexadecimal digits without hyphens, or the
   *     text has more than {@value LooseText#LENGTH_MAX} characters
   */
  public static UUID parseLoosely(String text) {
    LooseText loose = LooseText.of("UUID", text).after(URN).within('{', '}');
    return HexNotation.PLAIN
        .decode(loose.digits())
        .orElseThrow(
            () ->
                loose.malformed(
                    HexNotation.DIGITS,
                    c -> c < 128 && HexFormat.isHexDigit(c),
                    "a hexadecimal digit"));
  }

  /** Compares as unsigned numbers: below zero, zero or above as {@code a} is to {@code b}. */
  public static int compare(UUID a, UUID b) {
    int byHigh = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return byHigh != 0
        ? byHigh
        : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
  }

  /**
   * Makes the UUIDv3 of a name (RFC 9562 section 5.3). It uses MD5: names that an attacker chooses
   * can collide.
   *
   * @param namespace the namespace of the name: {@link #NAMESPACE_DNS}, or any other UUID
   */
  public static UUID mintV3(UUID namespace, byte[] name) {
    return named(MD5, namespace, name, 3);
  }

  /**
   * Makes the UUIDv3 of a name, which is written in UTF-8.
   *
   * @throws IllegalArgumentException if the name is not Unicode (a lone surrogate)
   */
  public static UUID mintV3(UUID namespace, String name) {
    return mintV3(namespace, utf8(name));
  }

  /**
   * Makes the UUIDv5 of a name (RFC 9562 section 5.5): the first bits of its SHA-1.
   *
   * @param namespace the namespace of the name: {@link #NAMESPACE_DNS}, or any other UUID
   */
  public static UUID mintV5(UUID namespace, byte[] name) {
    return named(SHA1, namespace, name, 5);
  }

  /**
   * Makes the UUIDv5 of a name, which is written in UTF-8.
   *
   * @throws IllegalArgumentException if the name is not Unicode (a lone surrogate)
   */
  public static UUID mintV5(UUID namespace, String name) {
    return mintV5(namespace, utf8(name));
  }

  /**
   * Makes a UUIDv8 (RFC 9562 section 5.8) of bits from the caller, who is responsible for its
   * uniqueness.
   *
   * @param customA bits 0 to 47
   * @param customB bits 52 to 63
   * @param customC bits 66 to 127
   * @throws IllegalArgumentException if a number is negative or has more bits
   */
  public static UUID mintV8(long customA, int customB, long customC) {
    checkBits("custom_a", customA, 48);
    checkBits("custom_b", customB, 12);
    checkBits("custom_c", customC, 62);
    return stamped(Ulid.of(customA << 16 | customB, customC), 8);
  }

  /** Makes a UUIDv4 with 122 bits of {@link Entropy#strong}. */
  public static UUID mintV4() {
    return mintV4(Entropy.strong());
  }

  /** Makes a UUIDv4 (RFC 9562 section 5.4) with 122 bits of entropy. */
  public static UUID mintV4(RandomGenerator entropy) {
    return stamped(Entropy.draw128(entropy), 4);
  }

  /**
   * Makes a UUIDv7 that is in random order among those of its millisecond; for UUIDv7s that ascend,
   * keep a mint: {@code Mint.ofUuidsV7(Order.ASCENDING)}. It has the system's time and 74 bits of
   * {@link Entropy#strong}.
   */
  public static UUID mintV7() {
    return mintV7(InstantSource.system(), Entropy.strong());
  }

  /**
   * Makes a UUIDv7 (RFC 9562 section 5.7) that is in random order among those of its millisecond,
   * of the clock's time and 74 bits of entropy; for UUIDv7s that ascend, keep a mint: {@code
   * Mint.ofUuidsV7(Order.ASCENDING)}.
   *
   * @throws IllegalArgumentException if the clock is before 1970 or after {@link
   *     Ulid#TIME_MILLIS_MAX}
   */
  public static UUID mintV7(InstantSource clock, RandomGenerator entropy) {
    long now = MillisecondLayout.now(clock);
    return MillisecondLayout.UUID_V7.random(now, Entropy.draw80(entropy, clock, now));
  }

  /**
   * Makes a UUIDv7 of a time, truncated to its millisecond, and 74 bits of {@link Entropy#strong}:
   * for rows that are older than their identifiers. Two of the same millisecond are in random
   * order.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after {@link
   *     Ulid#TIME_MILLIS_MAX}
   */
  public static UUID mintV7(Instant time) {
    long millis = MillisecondLayout.millis(time);
    return MillisecondLayout.UUID_V7.random(millis, Entropy.draw80(Entropy.strong()));
  }

  /** Makes a UUIDv6 of the system's time, as {@link #mintV6(Instant)} does. */
  public static UUID mintV6() {
    return mintV6(InstantSource.system(), Entropy.strong());
  }

  /**
   * Makes a UUIDv6 of a time, truncated to 100 nanoseconds, and 61 bits of {@link Entropy#strong},
   * as {@link #mintV6(InstantSource, RandomGenerator)} does.
   *
   * @throws IllegalArgumentException if the time is out of the range of {@link #minV6}
   */
  public static UUID mintV6(Instant time) {
    return v6(time, randomNode(Entropy.strong()));
  }

  /**
   * Makes a UUIDv6 (RFC 9562 section 5.6) of the clock's time, truncated to 100 nanoseconds, and 61
   * bits of entropy: clock sequence and node are random for each, and the node has the multicast
   * bit, so it is the address of no network card. Two of the same 100 nanoseconds are in random
   * order. For systems that require version 6; others use version 7.
   *
   * @throws IllegalArgumentException if the clock is out of the range of {@link #minV6}
   */
  public static UUID mintV6(InstantSource clock, RandomGenerator entropy) {
    return v6(clock.instant(), randomNode(entropy));
  }

  /**
   * Makes a UUIDv1 of the system's time, as {@link #mintV1(InstantSource, RandomGenerator)} does.
   */
  public static UUID mintV1() {
    return mintV1(InstantSource.system(), Entropy.strong());
  }

  /**
   * Makes a UUIDv1 (RFC 9562 section 5.1) of the clock's time, truncated to 100 nanoseconds, and 61
   * bits of entropy, as {@link #mintV6(InstantSource, RandomGenerator)} does. Its lowest bits of
   * time come first, so it is in no order. For systems that require version 1; others use version
   * 7.
   *
   * @throws IllegalArgumentException if the clock is out of the range of {@link #minV6}
   */
  public static UUID mintV1(InstantSource clock, RandomGenerator entropy) {
    long ticks = ticks(clock.instant());
    long high = ticks << 32 | (ticks >>> 32 & 0xFFFF) << 16 | ticks >>> 48;
    return stamped(Ulid.of(high, randomNode(entropy)), 1);
  }

  private static long randomNode(RandomGenerator entropy) {
    return Entropy.draw80(entropy).leastSignificantBits() | NODE_MULTICAST;
  }

  /**
   * The least UUIDv7 of the instant's millisecond.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after {@link
   *     Ulid#TIME_MILLIS_MAX}
   */
  public static UUID minV7(Instant time) {
    return MillisecondLayout.UUID_V7.min(MillisecondLayout.millis(time));
  }

  /**
   * The greatest UUIDv7 of the instant's millisecond.
   *
   * @throws IllegalArgumentException if the time is before 1970 or after {@link
   *     Ulid#TIME_MILLIS_MAX}
   */
  public static UUID maxV7(Instant time) {
    return MillisecondLayout.UUID_V7.max(MillisecondLayout.millis(time));
  }

  /**
   * The UUIDv7s of all instants from {@code from}, inclusive, to {@code to}, exclusive, truncated
   * to milliseconds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or one of them is
   *     out of the range of {@link #minV7}
   */
  public static IdRange<UUID> rangeV7(Instant from, Instant to) {
    return IdRange.of(from, to, Uuids::minV7, Uuids::maxV7);
  }

  /**
   * The least UUIDv6 of the instant's 100 nanoseconds, in the order of {@link #UNSIGNED}.
   *
   * @throws IllegalArgumentException if the time is before 1582-10-15 or after
   *     5236-03-31T21:21:00.6846975Z, which 60 bits cannot hold
   */
  public static UUID minV6(Instant time) {
    return v6(time, 0);
  }

  /**
   * The greatest UUIDv6 of the instant's 100 nanoseconds.
   *
   * @throws IllegalArgumentException as {@link #minV6} does
   */
  public static UUID maxV6(Instant time) {
    return v6(time, ~VARIANT_MASK);
  }

  /**
   * The UUIDv6s of all instants from {@code from}, inclusive, to {@code to}, exclusive, truncated
   * to 100 nanoseconds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or one of them is
   *     out of the range of {@link #minV6}
   */
  public static IdRange<UUID> rangeV6(Instant from, Instant to) {
    return IdRange.of(from, to, Uuids::minV6, Uuids::maxV6);
  }

  /** The version digit, 0 to 15; it is defined by an RFC only if {@link #variant} is 2. */
  public static int version(UUID uuid) {
    return timeHiVersion(uuid) >>> VERSION_SHIFT;
  }

  /**
   * The variant (RFC 9562 section 4.1), numbered as by {@link UUID#variant()}: 0 for NCS, 2 for RFC
   * 9562, 6 for Microsoft, 7 reserved.
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

  /** Bits 48 to 63, including the version. */
  public static int timeHiVersion(UUID uuid) {
    return (int) uuid.getMostSignificantBits() & 0xFFFF;
  }

  /** Bits 66 to 79: the clock sequence without the variant. */
  public static int clockSeq(UUID uuid) {
    return (int) (uuid.getLeastSignificantBits() >>> 48) & 0x3FFF;
  }

  /** Bits 64 to 71, including the variant. */
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
   * The time of a UUID of version 1 or 6 (to 100 nanoseconds) or 7 (to the millisecond); empty for
   * every other version and variant.
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
   * Writes a UUID in the given form. {@link Form#TIME} is the time of its version. {@link
   * Form#TIME_TEXT} and {@link Form#RANDOMNESS_TEXT} exist only for version 7, in which the first
   * 48 bits are milliseconds. Use {@link Ulid#of(UUID)} to read any other version as a ULID.
   *
   * @throws IllegalArgumentException if the UUID has no such form
   */
  public static String to(UUID uuid, Form form) {
    if (form.isOfCollection()) {
      return form.write(Ulid.of(uuid));
    }
    return UuidLayouts.of(uuid)
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

  private static UUID v6(Instant time, long low) {
    long ticks = ticks(time);
    return stamped(Ulid.of((ticks >>> 12) << 16 | (ticks & 0xFFF), low), 6);
  }

  private static long ticks(Instant time) {
    if (time.isBefore(GREGORIAN) || time.isAfter(GREGORIAN_LAST)) {
      throw new IllegalArgumentException(
          "time " + time + ": expected " + GREGORIAN + " to " + GREGORIAN_LAST);
    }
    Duration since = Duration.between(GREGORIAN, time);
    return since.getSeconds() * TICKS_PER_SECOND + since.getNano() / TICK_NANOS;
  }

  private static UUID named(
      Recycler<MessageDigest> digests, UUID namespace, byte[] name, long version) {
    MessageDigest digest = digests.take();
    digest.update(Ulid.of(namespace).toBytes());
    ByteBuffer hash = ByteBuffer.wrap(digest.digest(name));
    digests.giveBack(digest);
    return stamped(Ulid.of(hash.getLong(), hash.getLong()), version);
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }

  private static byte[] utf8(String name) {
    if (!Unicode.isWellFormed(name)) {
      throw new IllegalArgumentException("name " + Quoted.of(name) + " is not Unicode");
    }
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static void checkBits(String field, long value, int bits) {
    if (value >>> bits != 0) {
      throw new IllegalArgumentException(
          field + " is " + value + ": expected 0 to 2^" + bits + "-1");
    }
  }

  private static UUID namespace(long timeLow) {
    return new UUID(timeLow << 32 | 0x9dad_11d1L, 0x80b4_00c0_4fd4_30c8L);
  }

  private static UUID stamped(Ulid bits, long version) {
    return new UUID(
        (bits.mostSignificantBits() & ~VERSION_MASK) | (version << VERSION_SHIFT),
        (bits.leastSignificantBits() & ~VARIANT_MASK) | VARIANT_BITS);
  }
}
