package dev.mintmark;

import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The prefixes of one length that a CIDR block consists of (RFC 4632 section 5.1), granted as a
 * whole: subnets of a network, the pod ranges of nodes, delegated prefixes (RFC 8415 section 6.3).
 * Each prefix is a value: {@code 10.0.0.0/28}, {@code 10.0.0.16/28} and so on. All of them are
 * granted, the first and the last too, of IPv4 as well.
 *
 * <pre>
 *   10.0.0.0/16 by /28
 *   |  block    |  12 bits of position, 4 bits of host: 4,096 prefixes
 * </pre>
 *
 * @param block the addresses
 * @param length the length of each prefix: from that of the block, at most {@value
 *     #POSITION_BITS_MAX} more, and at most 32 (IPv4) or 128 (IPv6)
 */
public record CidrPrefixes(CidrBlock block, int length) implements Block {
  /** A block has at most 2^62 prefixes. */
  private static final int POSITION_BITS_MAX = 62;

  private static final Pattern TEXT = Pattern.compile("(\\S+) by /(0|[1-9][0-9]{0,2})");

  public CidrPrefixes {
    int lengthMax = Math.min(block.addressBits(), block.prefixLength() + POSITION_BITS_MAX);
    if (length < block.prefixLength() || length > lengthMax) {
      throw new IllegalArgumentException(
          "%s by /%s: expected prefixes of /%s to /%s"
              .formatted(block, length, block.prefixLength(), lengthMax));
    }
  }

  /**
   * Reads {@code 10.0.0.0/16 by /28}.
   *
   * @throws IllegalArgumentException if {@code text} has another form
   */
  public static CidrPrefixes parse(String text) {
    Matcher prefixes = TEXT.matcher(text);
    if (!prefixes.matches()) {
      throw new IllegalArgumentException(
          "malformed prefixes " + Quoted.of(text) + ": expected as in 10.0.0.0/16 by /28");
    }
    return new CidrPrefixes(
        CidrBlock.parse(prefixes.group(1)), Integer.parseInt(prefixes.group(2)));
  }

  @Override
  public long size() {
    return 1L << (length - block.prefixLength());
  }

  @Override
  public String valueAt(long position) {
    Objects.checkIndex(position, size());
    return block.addressAt(BigInteger.valueOf(position).shiftLeft(hostBits())) + "/" + length;
  }

  @Override
  public OptionalLong positionOf(String value) {
    if (value.indexOf('/') < 0) {
      return OptionalLong.empty();
    }
    CidrBlock prefix;
    try {
      prefix = CidrBlock.parse(value);
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
    return prefix.prefixLength() == length && block.overlaps(prefix)
        ? OptionalLong.of(positionWith(prefix))
        : OptionalLong.empty();
  }

  /** Returns the prefix that an address is in; empty if it is outside of the block or malformed. */
  public Optional<String> prefixWith(String address) {
    return block.hostOf(address).map(host -> valueAt(host.shiftRight(hostBits()).longValueExact()));
  }

  @Override
  public boolean overlaps(Block other) {
    return block.overlaps(addressesOf(other));
  }

  @Override
  public Positions positionsIn(Block other) {
    if (!overlaps(other) || !(addressesOf(other) instanceof CidrBlock addresses)) {
      return Positions.NONE;
    }
    if (addresses.prefixLength() <= block.prefixLength()) {
      return new Positions(0, size());
    }
    long first = positionWith(addresses);
    return new Positions(first, first + (1L << Math.max(0, length - addresses.prefixLength())));
  }

  @Override
  public List<Block> without(Block other) {
    return overlaps(other) ? block.without(addressesOf(other)) : List.of(this);
  }

  /** Returns the addresses of prefixes; any other block unchanged. */
  static Block addressesOf(Block block) {
    return block instanceof CidrPrefixes prefixes ? prefixes.block : block;
  }

  /** The position of the prefix that has the first address of a block. It must be inside. */
  private long positionWith(CidrBlock addresses) {
    return block.hostOf(addresses.network()).orElseThrow().shiftRight(hostBits()).longValueExact();
  }

  private int hostBits() {
    return block.addressBits() - length;
  }

  @Override
  public String toString() {
    return block + " by /" + length;
  }
}
