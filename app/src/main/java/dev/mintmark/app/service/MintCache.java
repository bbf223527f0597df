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
 * The mints of a process: one for each order and node, kept, since a mint knows its own past only.
 * Two mints of one node would make the same Snowflakes. Safe in any number of threads.
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

  /** Mints of the system's clock. */
  public static MintCache ofNow() {
    return new MintCache(MintOptions.DEFAULT, ClockPolicy.WAIT);
  }

  /** Mints whose ids all carry one time, and which fail when that has no more. */
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
   * The mint of a node, in the layout of Twitter.
   *
   * @throws IllegalArgumentException if the layout has no node of this number
   */
  Mint<Snowflake> snowflakes(int node) {
    return snowflakes.computeIfAbsent(
        node,
        key ->
            Mint.ofSnowflakes(SnowflakeLayout.TWITTER, key, options.clock(), policyOfSnowflakes));
  }
}
