package dev.mintmark;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a pool of scarce identifiers is declared to be: the values it hands out and for how long.
 *
 * @param name 1 to 63 of {@code a-z}, {@code 0-9} and {@code -}, starting with a letter
 * @param blocks the values, in blocks of one family (IPv4, IPv6 or numbers) that do not overlap
 * @param exclude values and blocks that are never handed out
 * @param lease how long a claim is held unless renewed; empty: until it is released
 * @param quarantine how long a value rests after it was given back, before it is handed out again
 * @param ipv6 the IPv6 address that goes with every claim, if one does
 */
public record PoolSpec(
    String name,
    List<Block> blocks,
    List<Block> exclude,
    Optional<Duration> lease,
    Duration quarantine,
    Optional<Ipv6Embedding> ipv6) {
  /** The most values that the blocks of one pool may have together. */
  public static final long VALUES_MAX = 1L << 20;

  /** The longest lease and the longest quarantine. */
  public static final Duration DURATION_MAX = Duration.ofDays(3650);

  /** The shortest lease: what is shorter cannot be renewed in time over a network. */
  public static final Duration LEASE_MIN = Duration.ofSeconds(1);

  public PoolSpec {
    blocks = List.copyOf(blocks);
    exclude = List.copyOf(exclude);
    CatalogName.check("pool", name);
    checkBlocks(name, blocks);
    lease.ifPresent(length -> checkDuration(name, "lease", length, LEASE_MIN));
    checkDuration(name, "quarantine", quarantine, Duration.ZERO);
    boolean embedsIpv4 = ipv6.isPresent() && ipv6.get().source() == Ipv6Embedding.Source.IPV4;
    if (embedsIpv4 && !family(blocks.get(0)).equals("IPv4")) {
      throw wrong(name, "only an IPv4 value can be embedded, its blocks are not IPv4");
    }
  }

  /** A pool that keeps its claims until they are released and hands values out again at once. */
  public static PoolSpec of(String name, List<Block> blocks) {
    return new PoolSpec(name, blocks, List.of(), Optional.empty(), Duration.ZERO, Optional.empty());
  }

  /** The same pool with the given lease. */
  public PoolSpec withLease(Duration lease) {
    return new PoolSpec(name, blocks, exclude, Optional.of(lease), quarantine, ipv6);
  }

  /** The same pool with the given quarantine. */
  public PoolSpec withQuarantine(Duration quarantine) {
    return new PoolSpec(name, blocks, exclude, lease, quarantine, ipv6);
  }

  private static void checkBlocks(String name, List<Block> blocks) {
    if (blocks.isEmpty()) {
      throw wrong(name, "it has no blocks");
    }
    long values = 0;
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      if (!family(block).equals(family(blocks.get(0)))) {
        throw wrong(name, blocks.get(0) + " and " + block + " are of different families");
      }
      for (Block earlier : blocks.subList(0, i)) {
        if (earlier.overlaps(block)) {
          throw wrong(name, "blocks " + earlier + " and " + block + " overlap");
        }
      }
      values += Math.min(block.size(), VALUES_MAX + 1);
      if (values > VALUES_MAX) {
        throw wrong(name, "its blocks have more than " + VALUES_MAX + " values");
      }
    }
  }

  private static String family(Block block) {
    if (block instanceof CidrBlock cidr) {
      return cidr.isIpv4() ? "IPv4" : "IPv6";
    }
    return "numbers";
  }

  private static void checkDuration(String name, String what, Duration length, Duration min) {
    if (length.compareTo(min) < 0 || length.compareTo(DURATION_MAX) > 0) {
      throw wrong(
          name,
          "%s is %s: expected %s to %s"
              .formatted(
                  what,
                  DurationText.format(length),
                  DurationText.format(min),
                  DurationText.format(DURATION_MAX)));
    }
  }

  private static IllegalArgumentException wrong(String name, String why) {
    return new IllegalArgumentException("pool " + Quoted.of(name) + ": " + why);
  }
}
