package dev.mintmark.testkit;

import dev.mintmark.ClockPolicy;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.Mint;
import dev.mintmark.MintCache;
import dev.mintmark.MintOptions;
import dev.mintmark.MintSettings;
import dev.mintmark.Order;
import dev.mintmark.Ulid;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Mints that make the same identifiers in every run of a test: their clock steps by a millisecond,
 * and their random bits follow from a seed. <b>For tests only</b>: whoever knows the seed knows
 * every identifier.
 *
 * <pre>{@code
 * ReproducibleIds ids = ReproducibleIds.of("orders are listed by age");
 * Mint<Ulid> orders = ids.ulids();      // pass it to the code under test
 * orders.mint();                        // always the same, and the next one is greater
 * }</pre>
 *
 * <p>Identifiers of kinds with a time are ascending, KSUIDs only from second to second. NanoIDs and
 * UUIDv4s are reproducible and in random order.
 *
 * <p>Nothing is global: only mints, the clock and the random numbers of this object are
 * reproducible, not {@link Ulid#mint()} nor other mints. Thread-safe; the identifiers are
 * reproducible if threads take them in the same order.
 */
public final class ReproducibleIds {
  /** The first time of the clock. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final long seed;
  private final SteppingClock clock = SteppingClock.from(START);
  private final Random random;
  private final MintCache mints;

  private ReproducibleIds(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.mints = MintCache.of(new MintOptions(clock, random, ClockPolicy.KEEP_ASCENDING));
  }

  /** Returns mints of a seed. */
  public static ReproducibleIds of(long seed) {
    return new ReproducibleIds(seed);
  }

  /** Returns mints whose seed follows from a name, such as that of a test. */
  public static ReproducibleIds of(String name) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(name.getBytes(StandardCharsets.UTF_8));
      return of(ByteBuffer.wrap(hash).getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every Java platform has SHA-256.
    }
  }

  /** The seed. */
  public long seed() {
    return seed;
  }

  /** The clock of the mints, which a test can set. */
  public SteppingClock clock() {
    return clock;
  }

  /** The random numbers of the mints, for code that takes a {@link RandomGenerator} of its own. */
  public RandomGenerator random() {
    return random;
  }

  /** Returns the mint of ULIDs, in ascending order. */
  public Mint<Ulid> ulids() {
    return mint(IdType.ulids());
  }

  /**
   * Returns the mint of a type: ascending if its kind has an order, of node 0 if its kind requires
   * one. It is the same mint for all types of one kind.
   *
   * @throws IllegalArgumentException if identifiers of the type are not minted
   */
  public <T> Mint<T> mint(IdType<T> type) {
    Kind kind = type.kind();
    MintSettings settings = MintSettings.NONE;
    if (kind.has(Kind.Option.ORDER)) {
      settings = settings.withOrder(Order.ASCENDING);
    }
    if (kind.has(Kind.Option.NODE)) {
      settings = settings.withNode(0);
    }
    return mints.mint(type, settings);
  }

  /** Returns its seed, for messages. */
  @Override
  public String toString() {
    return "reproducible ids of seed " + seed;
  }
}
