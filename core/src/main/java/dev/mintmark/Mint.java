package dev.mintmark;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/**
 * Makes identifiers, one after the other: what {@link Order} they are in, and what happens when the
 * clock steps back, is chosen where the mint is made. Keep one for as long as the process runs;
 * each knows its own past only.
 *
 * <p>Safe in any number of threads, virtual ones among them.
 *
 * <pre>{@code
 * Mint<Ulid> mint = Mint.ofUlids(Order.ASCENDING);
 * Ulid id = mint.mint();                 // greater than every one before
 * List<Ulid> thousand = mint.mint(1000); // and these than that
 * mint.drift();                          // zero, unless the clock has stepped back
 * }</pre>
 *
 * @param <T> the identifiers that it makes
 */
public interface Mint<T> {
  /** How many identifiers one call may ask for. */
  int COUNT_MAX = 1 << 20;

  /**
   * Makes the next identifier.
   *
   * @throws MintException if it cannot keep what it promises, see {@link ClockPolicy}
   * @throws IllegalArgumentException if the clock is outside of what the identifier can hold
   */
  T mint();

  /**
   * Makes the next {@code count} identifiers, which is faster than making them singly.
   *
   * @param count 1 to {@value #COUNT_MAX}
   * @throws MintException as {@link #mint()} does; none is returned then, and the room in the
   *     millisecond that was taken for some stays taken
   * @throws IllegalArgumentException if {@code count} is out of its range, or as {@link #mint()}
   */
  List<T> mint(int count);

  /**
   * How far the last identifier is ahead of the clock; zero if it is not. A mint is ahead after its
   * clock has stepped back, or after it made more in a millisecond than there is room for.
   */
  Duration drift();

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
   * Makes the Snowflakes of a node, of the system's clock, and waits where it would go ahead of it.
   *
   * @param node the number of this node: 0 to {@link SnowflakeLayout#nodeMax}
   * @throws IllegalArgumentException if the node is out of its range
   */
  static Mint<Snowflake> ofSnowflakes(SnowflakeLayout layout, int node) {
    return ofSnowflakes(layout, node, InstantSource.system(), ClockPolicy.WAIT);
  }

  /**
   * Makes the Snowflakes of a node. Each is greater than the one before, across threads, and none
   * comes twice; that holds for this mint, so let there be but one for a node at a time.
   *
   * <p>{@link ClockPolicy#WAIT} is the policy of choice: a mint that goes ahead of its clock can
   * make what the next process with its node number, having no memory of it, makes again. With
   * {@link ClockPolicy#FAIL} it fails as soon as a unit of time is used up: after 4,096 in a
   * millisecond with {@link SnowflakeLayout#TWITTER}, after 256 in ten with {@link
   * SnowflakeLayout#SONY}.
   *
   * @param node the number of this node: 0 to {@link SnowflakeLayout#nodeMax}
   * @throws IllegalArgumentException if the node is out of its range
   */
  static Mint<Snowflake> ofSnowflakes(
      SnowflakeLayout layout, int node, InstantSource clock, ClockPolicy clockPolicy) {
    return new SnowflakeMint(layout, node, clock, clockPolicy);
  }

  private static <T> Mint<T> of(MillisecondLayout<T> layout, Order order, MintOptions options) {
    return switch (order) {
      case RANDOM -> new RandomMint<>(layout, options);
      case ASCENDING -> new AscendingMint<>(layout, options);
      case SPEC -> new SpecMint<>(layout, options);
      case MICROSECOND -> new MicrosecondMint<>(layout, options);
    };
  }
}
