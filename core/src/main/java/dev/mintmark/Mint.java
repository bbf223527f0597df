package dev.mintmark;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Makes identifiers. Its {@link Order} and its behaviour when the clock steps back are set when the
 * mint is made. Keep one mint for the life of the process: its guarantees hold for its own
 * identifiers only.
 *
 * <p>Thread-safe, also for virtual threads.
 *
 * <pre>{@code
 * Mint<Ulid> mint = Mint.ofUlids(Order.ASCENDING);
 * Ulid id = mint.mint();                 // greater than every one before
 * List<Ulid> thousand = mint.mint(1000); // and these than that
 * mint.drift();                          // zero, unless the clock has stepped back
 * }</pre>
 *
 * @param <T> the type of the identifiers
 */
public interface Mint<T> {
  /** The most identifiers of one call. */
  int COUNT_MAX = 1 << 20;

  /**
   * Makes the next identifier.
   *
   * @throws MintException if it cannot keep its guarantees, see {@link ClockPolicy}
   * @throws IllegalArgumentException if the time of the clock is out of the range of the identifier
   */
  T mint();

  /**
   * Makes the next {@code count} identifiers, which is faster than making them one by one.
   *
   * @param count 1 to {@value #COUNT_MAX}
   * @throws MintException as {@link #mint()} does; none is returned then, and the counter values
   *     that were taken for some are not used again
   * @throws IllegalArgumentException if {@code count} is out of range, or as {@link #mint()}
   */
  List<T> mint(int count);

  /**
   * The time by which the last identifier is ahead of the clock; zero if it is not. A mint is ahead
   * after its clock stepped back, or after it used up the counter of a millisecond. In {@link
   * Order#PER_THREAD}, threads may be ahead by different times: this is the longest.
   */
  Duration drift();

  /**
   * Makes identifiers of a type, of the system's clock and strong entropy, without settings.
   *
   * @throws IllegalArgumentException as {@link #of(IdType, MintSettings, MintOptions)} throws it
   */
  static <T> Mint<T> of(IdType<T> type) {
    return of(type, MintSettings.NONE, MintOptions.DEFAULT);
  }

  /**
   * Makes identifiers of a type. Without an order in the settings, the order is the one that the
   * collection of the type declares; without that, those of one call of {@link #mint(int)} ascend,
   * and those of {@link #mint()} are in random order within a millisecond. A mint of Snowflakes or
   * TSIDs waits where {@link ClockPolicy#KEEP_ASCENDING} and {@link ClockPolicy#RETURN_TO_CLOCK}
   * let other mints go on; {@link #ofSnowflakes(SnowflakeLayout, int, InstantSource, ClockPolicy)}
   * says why.
   *
   * @throws IllegalArgumentException if the kind of the type is not minted, has no such setting or
   *     requires one that is missing, if the node is out of its range, or if the collection of the
   *     type declares that the server mints
   */
  static <T> Mint<T> of(IdType<T> type, MintSettings settings, MintOptions options) {
    MintSettings declared = type.declared(settings);
    return type.mint(each -> each.newMint(declared, options));
  }

  /** Makes ULIDs in the given order, of the system's clock and strong entropy. */
  static Mint<Ulid> ofUlids(Order order) {
    return ofUlids(order, MintOptions.DEFAULT);
  }

  /** Makes ULIDs in the given order. */
  static Mint<Ulid> ofUlids(Order order, MintOptions options) {
    return of(MillisecondLayout.ULID, order, options);
  }

  /** Makes UUIDv7s in the given order, of the system's clock and strong entropy. */
  static Mint<UUID> ofUuidsV7(Order order) {
    return ofUuidsV7(order, MintOptions.DEFAULT);
  }

  /** Makes UUIDv7s in the given order. */
  static Mint<UUID> ofUuidsV7(Order order, MintOptions options) {
    return of(MillisecondLayout.UUID_V7, order, options);
  }

  /**
   * Makes the Snowflakes of a node with the system's clock. Waits rather than go ahead of it.
   *
   * @param node the number of this node: 0 to {@link SnowflakeLayout#nodeMax}
   * @throws IllegalArgumentException if the node is out of range
   */
  static Mint<Snowflake> ofSnowflakes(SnowflakeLayout layout, int node) {
    return ofSnowflakes(layout, node, InstantSource.system(), ClockPolicy.WAIT);
  }

  /**
   * Makes the Snowflakes of a node. Each is greater than the one before, across threads, and none
   * is repeated. That holds for one mint only: never use two mints with one node number at a time.
   *
   * <p>{@link ClockPolicy#WAIT} is recommended: the identifiers of a mint that is ahead of its
   * clock could be repeated by the next process with the same node number. With {@link
   * ClockPolicy#FAIL} it fails as soon as a unit of time is used up: after 4,096 in a millisecond
   * with {@link SnowflakeLayout#TWITTER}, after 256 in ten milliseconds with {@link
   * SnowflakeLayout#SONY}.
   *
   * @param node the number of this node: 0 to {@link SnowflakeLayout#nodeMax}
   * @throws IllegalArgumentException if the node is out of range, or the policy is {@link
   *     ClockPolicy#RETURN_TO_CLOCK}
   */
  static Mint<Snowflake> ofSnowflakes(
      SnowflakeLayout layout, int node, InstantSource clock, ClockPolicy clockPolicy) {
    return new SnowflakeMint(layout, node, clock, clockPolicy);
  }

  /**
   * Makes the TSIDs of a node with the system's clock. Waits rather than go ahead of it.
   *
   * @param node the number of this node: 0 to 1023
   * @throws IllegalArgumentException if the node is out of range
   */
  static Mint<Tsid> ofTsids(int node) {
    return ofTsids(node, InstantSource.system(), ClockPolicy.WAIT);
  }

  /**
   * Makes the TSIDs of a node, in the order and with the conditions of {@link
   * #ofSnowflakes(SnowflakeLayout, int, InstantSource, ClockPolicy)}. The node has 10 bits and the
   * counter 12. For another division, make Snowflakes of a layout of your own and call {@link
   * Tsid#of} with their bits.
   *
   * @param node the number of this node: 0 to 1023
   * @throws IllegalArgumentException if the node is out of range
   */
  static Mint<Tsid> ofTsids(int node, InstantSource clock, ClockPolicy clockPolicy) {
    return new MappedMint<>(
        ofSnowflakes(SnowflakeLayout.TSID, node, clock, clockPolicy), id -> Tsid.of(id.toLong()));
  }

  /**
   * Makes KSUIDs of the clock's second and 128 random bits. They follow the clock; those of one
   * second are in random order.
   */
  static Mint<Ksuid> ofKsuids(MintOptions options) {
    RandomGenerator entropy = Entropy.shared(options.entropy());
    return new StatelessMint<>(() -> Ksuid.mint(options.clock(), entropy));
  }

  /**
   * Makes ObjectIds. Draws the 40 bits of the process and the start of the counter. Each identifier
   * is greater than the one before, across threads. After 2^24 of them the counter starts again at
   * zero, in the next second.
   */
  static Mint<ObjectId> ofObjectIds(MintOptions options) {
    return new CounterMint<>(options, ObjectId::of);
  }

  /** Makes Xids, as {@link #ofObjectIds} makes ObjectIds. */
  static Mint<Xid> ofXids(MintOptions options) {
    return new CounterMint<>(options, Xid::of);
  }

  private static <T> Mint<T> of(MillisecondLayout<T> layout, Order order, MintOptions options) {
    return switch (order) {
      case RANDOM -> new RandomMint<>(layout, options);
      case ASCENDING -> new AscendingMint<>(layout, options);
      case PER_THREAD -> new PerThreadMint<>(layout, options);
      case SPEC -> new SpecMint<>(layout, options);
      case MICROSECOND -> new MicrosecondMint<>(layout, options);
    };
  }
}
