package dev.mintmark;

import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The addresses that share a prefix (RFC 4632 for IPv4, RFC 4291 section 2.3 for IPv6).
 *
 * <pre>
 *   45.67.80.0/22
 *   |  network  |host    22 bits of network, 10 bits of host: 1,024 addresses,
 *                        1,022 of which are granted
 * </pre>
 *
 * <p>The first address (network) and the last (broadcast) of an IPv4 block are not granted, except
 * if it has only one or two addresses (/32, and /31 as in RFC 3021). Every address of an IPv6 block
 * is granted.
 */
public final class CidrBlock implements Block {
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");
  private static final Pattern IPV6 = Pattern.compile("(?!.*[0-9a-fA-F]{5})[0-9a-fA-F:]{2,39}");
  private static final Pattern PREFIX_LENGTH = Pattern.compile("0|[1-9][0-9]{0,2}");

  /** IPv6 addresses that represent IPv4 addresses (RFC 4291 section 2.5.5.2). They are rejected. */
  private static final CidrBlock MAPPED_IPV4 =
      new CidrBlock(128, BigInteger.valueOf(0xFFFF_0000_0000L), 96);

  /** 32 for IPv4, 128 for IPv6. */
  private final int addressBits;

  private final BigInteger network;
  private final int prefixLength;

  private CidrBlock(int addressBits, BigInteger network, int prefixLength) {
    this.addressBits = addressBits;
    this.network = network;
    this.prefixLength = prefixLength;
  }

  /**
   * Reads {@code 45.67.80.0/22} or {@code 2001:db8::/64}; an address without a prefix length is a
   * block of one address.
   *
   * @throws IllegalArgumentException if the address is malformed, the prefix length does not fit
   *     it, or host bits are set
   */
  public static CidrBlock parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    byte[] bytes =
        address(address)
            .orElseThrow(
                () -> malformed(text, Quoted.of(address) + " is not an IPv4 or IPv6 address"));
    int addressBits = bytes.length * Byte.SIZE;
    int prefixLength = addressBits;
    if (slash >= 0) {
      String length = text.substring(slash + 1);
      if (!PREFIX_LENGTH.matcher(length).matches() || Integer.parseInt(length) > addressBits) {
        throw malformed(
            text, "the prefix length " + Quoted.of(length) + " is not from 0 to " + addressBits);
      }
      prefixLength = Integer.parseInt(length);
    }
    BigInteger number = new BigInteger(1, bytes);
    int hostBits = addressBits - prefixLength;
    CidrBlock block =
        new CidrBlock(addressBits, number.shiftRight(hostBits).shiftLeft(hostBits), prefixLength);
    if (!block.network.equals(number)) {
      throw malformed(text, "bits of the host are set; its block is " + block);
    }
    return block;
  }

  /** Whether this is a block of IPv4 addresses, otherwise of IPv6. */
  public boolean isIpv4() {
    return addressBits == 32;
  }

  /** The number of leading bits that the addresses share: 0 to 32, or 0 to 128. */
  public int prefixLength() {
    return prefixLength;
  }

  /** The first address of the block, also if it is not granted. */
  public String network() {
    return format(network);
  }

  @Override
  public long size() {
    int hostBits = addressBits - prefixLength;
    return hostBits >= Long.SIZE - 1 ? Long.MAX_VALUE : (1L << hostBits) - 2L * reserved();
  }

  @Override
  public String valueAt(long position) {
    Objects.checkIndex(position, size());
    return format(network.add(BigInteger.valueOf(position + reserved())));
  }

  @Override
  public OptionalLong positionOf(String value) {
    return hostOf(value)
        .map(host -> host.subtract(BigInteger.valueOf(reserved())))
        .filter(position -> position.signum() >= 0)
        .filter(position -> position.compareTo(BigInteger.valueOf(size())) < 0)
        .map(position -> OptionalLong.of(position.longValueExact()))
        .orElse(OptionalLong.empty());
  }

  @Override
  public boolean overlaps(Block other) {
    if (!(CidrPrefixes.addressesOf(other) instanceof CidrBlock block)
        || block.addressBits != addressBits) {
      return false;
    }
    int hostBits = addressBits - Math.min(prefixLength, block.prefixLength);
    return network.shiftRight(hostBits).equals(block.network.shiftRight(hostBits));
  }

  @Override
  public Positions positionsIn(Block other) {
    if (!overlaps(other) || !(CidrPrefixes.addressesOf(other) instanceof CidrBlock block)) {
      return Positions.NONE;
    }
    BigInteger otherEnd =
        block.network.add(BigInteger.ONE.shiftLeft(addressBits - block.prefixLength));
    return new Positions(positionFrom(block.network), positionFrom(otherEnd));
  }

  @Override
  public List<Block> without(Block other) {
    if (!overlaps(other) || !(CidrPrefixes.addressesOf(other) instanceof CidrBlock block)) {
      return List.of(this);
    }
    // Each shorter prefix of the other block leaves one half of this one: the half without it.
    List<CidrBlock> rest = new ArrayList<>();
    for (int length = prefixLength + 1; length <= block.prefixLength; length++) {
      int hostBits = addressBits - length;
      BigInteger neighbour = block.network.shiftRight(hostBits).flipBit(0).shiftLeft(hostBits);
      rest.add(new CidrBlock(addressBits, neighbour, length));
    }
    rest.sort(Comparator.comparing(half -> half.network));
    return List.copyOf(rest);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof CidrBlock block
        && block.addressBits == addressBits
        && block.prefixLength == prefixLength
        && block.network.equals(network);
  }

  @Override
  public int hashCode() {
    return Objects.hash(addressBits, network, prefixLength);
  }

  @Override
  public String toString() {
    return network() + "/" + prefixLength;
  }

  /**
   * Splits this block into smaller ones with all its addresses, in ascending order. Only for IPv6:
   * every part of an IPv4 block would lose two addresses.
   *
   * @param length the prefix length of the parts, at most 16 more than this block's
   * @throws IllegalArgumentException if this is a block of IPv4 or the length is out of range
   */
  public List<CidrBlock> split(int length) {
    int lengthMax = Math.min(addressBits, prefixLength + 16);
    if (isIpv4() || length < prefixLength || length > lengthMax) {
      throw new IllegalArgumentException(
          "block %s cannot be split into /%s: expected a block of IPv6 and /%s to /%s"
              .formatted(this, length, prefixLength, lengthMax));
    }
    return IntStream.range(0, 1 << (length - prefixLength))
        .mapToObj(part -> BigInteger.valueOf(part).shiftLeft(addressBits - length))
        .map(host -> new CidrBlock(addressBits, network.add(host), length))
        .toList();
  }

  /** The length of an address: 32 bits for IPv4, 128 for IPv6. */
  int addressBits() {
    return addressBits;
  }

  /** Whether this block has addresses in common with ::ffff:0:0/96. */
  boolean hasMappedIpv4() {
    return overlaps(MAPPED_IPV4);
  }

  /** The address {@code host} places after the first. It must be inside. */
  String addressAt(BigInteger host) {
    return format(network.add(host));
  }

  /** The number of places from the first address to another; empty if it is outside. */
  Optional<BigInteger> hostOf(String address) {
    return address(address)
        .filter(bytes -> bytes.length * Byte.SIZE == addressBits)
        .map(bytes -> new BigInteger(1, bytes).subtract(network))
        .filter(host -> host.signum() >= 0 && host.bitLength() <= addressBits - prefixLength);
  }

  /** The number of granted values below an address. */
  private long positionFrom(BigInteger address) {
    BigInteger position = address.subtract(network).subtract(BigInteger.valueOf(reserved()));
    return position.max(BigInteger.ZERO).min(BigInteger.valueOf(size())).longValueExact();
  }

  /** The number of addresses at either end that are not granted. */
  private int reserved() {
    return isIpv4() && prefixLength <= 30 ? 1 : 0;
  }

  private String format(BigInteger address) {
    byte[] bytes = new byte[addressBits / Byte.SIZE];
    byte[] magnitude = address.toByteArray();
    int length = Math.min(magnitude.length, bytes.length);
    System.arraycopy(magnitude, magnitude.length - length, bytes, bytes.length - length, length);
    return isIpv4() ? formatIpv4(bytes) : formatIpv6(bytes);
  }

  private static String formatIpv4(byte[] bytes) {
    return (bytes[0] & 0xFF)
        + "."
        + (bytes[1] & 0xFF)
        + "."
        + (bytes[2] & 0xFF)
        + "."
        + (bytes[3] & 0xFF);
  }

  /** Canonical text of RFC 5952 section 4: lower case, the longest run of zero groups as "::". */
  private static String formatIpv6(byte[] bytes) {
    int[] groups = new int[8];
    Arrays.setAll(groups, i -> ((bytes[2 * i] & 0xFF) << 8) | (bytes[2 * i + 1] & 0xFF));
    int runStart = -1;
    int runLength = 1;
    for (int start = 0; start < groups.length; start++) {
      int end = start;
      while (end < groups.length && groups[end] == 0) {
        end++;
      }
      if (end - start > runLength) {
        runStart = start;
        runLength = end - start;
      }
    }
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < groups.length; i++) {
      if (i == runStart) {
        text.append("::");
        i += runLength - 1;
      } else {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
          text.append(':');
        }
        text.append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }

  /** The bytes of an address literal; never queries a name server. */
  static Optional<byte[]> address(String text) {
    if (text.length() > 39) {
      return Optional.empty();
    }
    boolean ipv6 = text.indexOf(':') >= 0 && IPV6.matcher(text).matches();
    if (!ipv6 && !IPV4.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      InetAddress address = InetAddress.getByName(text);
      // The JDK converts an IPv4-mapped IPv6 address (::ffff:1.2.3.4) to IPv4: reject it.
      return ipv6 == address instanceof Inet6Address
          ? Optional.of(address.getAddress())
          : Optional.empty();
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  private static IllegalArgumentException malformed(String text, String why) {
    return new IllegalArgumentException("malformed block " + Quoted.of(text) + ": " + why);
  }
}
