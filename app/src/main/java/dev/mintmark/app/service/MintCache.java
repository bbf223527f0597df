package dev.mintmark.app.service;

import dev.mintmark.ClockPolicy;
import dev.mintmark.Mint;
import dev.mintmark.MintOptions;
import dev.mintmark.Order;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.Ulid;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The mints of a process: one for each order and node. They are kept, because a mint is only unique
 * and ascending with respect to itself: two mints of one node would return equal Snowflakes.
 * Thread-safe.
 */
public final class MintCache {
  private final MintOptions options;
  private final ClockPolicy policyOfSnowflakes;
  private final Map<Order, Mint<Ulid>> ulids = new ConcurrentHashMap<>();
  private final Map<Order, Mint<UUID>> uuidsV7 = new ConcurrentHashMap<>();
  private final Map<Integer, Mint<Snowflake>> snowflakes = new ConcurrentHashMap<>();

  private MintCache(MintOptions options, ClockPolicy policyOfSnowflakes) {
    this.options = options;
    this.policyOfSnowflakes = policyOfSnowflakes;
  }

  /** Returns mints that read the system clock. */
  public static MintCache ofNow() {
    return new MintCache(MintOptions.DEFAULT, ClockPolicy.WAIT);
  }

  /**
   * Returns mints whose ids all have one time. They fail when the counter of that time is used up.
   */
  public static MintCache at(Instant time) {
    return new MintCache(
        MintOptions.DEFAULT.withClock(InstantSource.fixed(time)).withClockPolicy(ClockPolicy.FAIL),
        ClockPolicy.FAIL);
  }

  Mint<Ulid> ulids(Order order) {
    return ulids.computeIfAbsent(order, key -> Mint.ofUlids(key, options));
  }

  Mint<UUID> uuidsV7(Order order) {
    return uuidsV7.computeIfAbsent(order, key -> Mint.ofUuidsV7(key, options));
  }

  /**
   * Returns the mint of a node, in the layout of Twitter.
   *
   * @throws IllegalArgumentException if the layout has no such node number
   */
  Mint<Snowflake> snowflakes(int node) {
    return snowflakes.computeIfAbsent(
        node,
        key ->
            Mint.ofSnowflakes(SnowflakeLayout.TWITTER, key, options.clock(), policyOfSnowflakes));
  }
}
