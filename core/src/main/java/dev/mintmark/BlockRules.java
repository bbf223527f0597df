package dev.mintmark;

import static dev.mintmark.PoolSpec.BLOCKS_MAX;
import static dev.mintmark.PoolSpec.wrong;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The rules for the values of a {@linkplain PoolSpec pool}: its blocks, its exclusions, and the
 * pool that its blocks come from.
 */
final class BlockRules {
  /** The widest block of addresses: 2^64 of them. */
  private static final int PREFIX_LENGTH_MIN_IPV6 = 64;

  /** The shortest lease of a source: a shorter one could not be renewed in time. */
  private static final Duration SOURCE_LEASE_MIN = Duration.ofSeconds(5);

  private BlockRules() {}

  /**
   * @param supplied whether the pool gets its blocks from another one, and may have none
   */
  static void checkBlocks(String name, List<Block> blocks, boolean supplied) {
    if (blocks.isEmpty() && !supplied) {
      throw wrong(name, "it has no blocks");
    }
    if (blocks.size() > BLOCKS_MAX) {
      throw wrong(name, "it has more than " + BLOCKS_MAX + " blocks");
    }
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      if (!family(block).equals(family(blocks.get(0)))) {
        throw wrong(name, blocks.get(0) + " and " + block + " are of different families");
      }
      if (block instanceof CidrPrefixes != blocks.get(0) instanceof CidrPrefixes) {
        throw wrong(
            name,
            "%s and %s: a pool has either addresses or prefixes".formatted(blocks.get(0), block));
      }
      if (block instanceof CidrBlock cidr
          && !cidr.isIpv4()
          && cidr.prefixLength() < PREFIX_LENGTH_MIN_IPV6) {
        throw wrong(
            name,
            "block %s has more than 2^64 values: expected /%s or longer"
                .formatted(block, PREFIX_LENGTH_MIN_IPV6));
      }
      if (CidrPrefixes.addressesOf(block) instanceof CidrBlock cidr && cidr.hasMappedIpv4()) {
        throw wrong(name, "block " + block + " has addresses of ::ffff:0:0/96, which are IPv4");
      }
      for (Block earlier : blocks.subList(0, i)) {
        if (earlier.toString().equals(block.toString()) && block instanceof ValueList) {
          throw wrong(name, "two lists have the name " + Quoted.of(block.toString()));
        }
        if (earlier.overlaps(block)) {
          throw wrong(name, "blocks " + earlier + " and " + block + " overlap");
        }
      }
    }
  }

  /** Rejects exclusions that would have no effect: a typing error would grant the value. */
  static void checkExclude(String name, List<Block> exclude, List<Block> blocks) {
    if (blocks.isEmpty()) {
      if (!exclude.isEmpty()) {
        throw wrong(name, "its blocks come from another pool: exclude values there");
      }
      return;
    }
    Block block = blocks.get(0);
    if (exclude.size() > BLOCKS_MAX) {
      throw wrong(name, "it has more than " + BLOCKS_MAX + " exclusions");
    }
    if (block instanceof ValueList && !exclude.isEmpty()) {
      throw wrong(name, "a list cannot have exclusions: omit the values");
    }
    for (Block excluded : exclude) {
      if (!family(excluded).equals(family(block))) {
        throw wrong(
            name, "exclusion " + excluded + " and block " + block + " are of different families");
      }
      if (blocks.stream().noneMatch(excluded::overlaps)) {
        throw wrong(name, "exclusion " + excluded + " lies in none of its blocks");
      }
    }
  }

  private static String family(Block block) {
    if (CidrPrefixes.addressesOf(block) instanceof CidrBlock cidr) {
      return cidr.isIpv4() ? "IPv4" : "IPv6";
    }
    return block instanceof ValueList ? "lists" : "numbers";
  }

  static void checkIpv6(String name, Ipv6Embedding embedding, List<Block> blocks, int perClient) {
    boolean ofIpv4 = blocks.stream().allMatch(one -> one instanceof CidrBlock v && v.isIpv4());
    if (embedding.source() == Ipv6Embedding.Source.IPV4 && !ofIpv4) {
      throw wrong(name, "only an IPv4 value can be embedded, its blocks are not IPv4");
    }
    if (embedding.source() == Ipv6Embedding.Source.CLIENT && perClient > 1) {
      throw wrong(
          name, "a client may hold " + perClient + " values, which would have one IPv6 address");
    }
  }

  static void checkSource(String name, Optional<PoolSpec.Source> source) {
    if (source.filter(from -> from.pool().equals(name)).isPresent()) {
      throw wrong(name, "it is its own source");
    }
  }

  /** Checks that a source can supply a pool. */
  static void checkSupply(PoolSpec pool, PoolSpec source) {
    String from = Quoted.of(source.name());
    if (source.source().isPresent()) {
      throw wrong(pool.name(), "the blocks of pool %s come from another one".formatted(from));
    }
    if (!source.blocks().stream().allMatch(BlockRules::hasBlocksAsValues)) {
      throw wrong(
          pool.name(),
          "pool %s grants single values: expected runs or prefixes, as in 1..1000000 by 1000"
              .formatted(from));
    }
    source.lease().ifPresent(lease -> checkLeases(pool, source, lease));
    for (Block block : source.blocks()) {
      PoolSpec unused = pool.withBlocks(List.of(Block.parse(block.valueAt(0))));
    }
  }

  private static boolean hasBlocksAsValues(Block block) {
    return block instanceof NumberRuns || block instanceof CidrPrefixes;
  }

  /** Claims of a pool end before its block does, and rest before the source grants it again. */
  private static void checkLeases(PoolSpec pool, PoolSpec source, Duration sourceLease) {
    String from = Quoted.of(source.name());
    String has = "pool %s has a lease of %s".formatted(from, DurationText.format(sourceLease));
    if (sourceLease.compareTo(SOURCE_LEASE_MIN) < 0) {
      throw wrong(
          pool.name(), has + ": expected at least " + DurationText.format(SOURCE_LEASE_MIN));
    }
    Duration lease = pool.lease().orElse(PoolSpec.DURATION_MAX);
    if (lease.multipliedBy(2).compareTo(sourceLease) >= 0) {
      throw wrong(pool.name(), has + ", so its own lease must be shorter than half of that");
    }
    Duration rest = lease.plus(pool.quarantine());
    if (source.quarantine().compareTo(rest) < 0) {
      throw wrong(
          pool.name(),
          "pool %s has a quarantine of %s: expected at least the lease and the quarantine of this pool, %s"
              .formatted(
                  from, DurationText.format(source.quarantine()), DurationText.format(rest)));
    }
  }
}
