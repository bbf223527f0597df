package dev.mintmark;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The IPv6 address of a claim: a number in the low bits of a prefix. It is computed, never stored.
 *
 * <pre>
 *   2001:db8:42::/96 and the IPv4 address 45.67.80.1      2001:db8:42::2d43:5001
 *   2001:db8:42::/96 and the client 500000                2001:db8:42::7:a120
 * </pre>
 *
 * <p>The address can be computed from the number and the number from the address. No two values or
 * clients share an address: each has one text, a client without leading zeros. Bits between the
 * prefix and an IPv4 address are zero.
 *
 * @param prefix an IPv6 block, of at most 96 bits for IPv4 addresses; not one with addresses of
 *     ::ffff:0:0/96, which represent IPv4 (RFC 4291 section 2.5.5.2)
 * @param source the number that is embedded
 */
public record Ipv6Embedding(CidrBlock prefix, Source source) {
  private static final int IPV4_BITS = 32;
  private static final CidrBlock ALL_IPV4 = CidrBlock.parse("0.0.0.0/0");

  /** The number of digits of the greatest number of 128 bits. */
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,38}");

  /** The number in the low bits. */
  public enum Source {
    /** The 32 bits of the granted IPv4 address. */
    IPV4,
    /** The client, which must be a whole number that fits after the prefix. */
    CLIENT
  }

  public Ipv6Embedding {
    if (prefix.isIpv4()) {
      throw new IllegalArgumentException("ipv6 prefix " + prefix + ": expected an IPv6 block");
    }
    if (prefix.hasMappedIpv4()) {
      throw new IllegalArgumentException(
          "ipv6 prefix " + prefix + ": it has addresses of ::ffff:0:0/96, which are IPv4");
    }
    if (source == Source.IPV4 && prefix.prefixLength() > 96) {
      throw new IllegalArgumentException(
          "ipv6 prefix " + prefix + ": expected at most /96, an IPv4 address takes 32 bits");
    }
  }

  /**
   * Checks that a client can be embedded, before it claims a value. Every client can if IPv4
   * addresses are embedded.
   *
   * @throws IllegalArgumentException if the client is embedded and is not a number that fits,
   *     without leading zeros
   */
  public void checkClient(String client) {
    if (source == Source.CLIENT) {
      clientNumber(client);
    }
  }

  /**
   * Returns the address for a claim.
   *
   * @param client embedded by {@link Source#CLIENT}, otherwise ignored
   * @param value embedded by {@link Source#IPV4}, otherwise ignored
   * @throws IllegalArgumentException if the value is not an IPv4 address, or the client is not a
   *     number that fits, without leading zeros
   */
  public String addressFor(String client, String value) {
    return prefix.addressAt(
        switch (source) {
          case IPV4 -> ipv4Number(value);
          case CLIENT -> clientNumber(client);
        });
  }

  /**
   * Returns the IPv4 address or the client that is embedded in an address.
   *
   * @throws IllegalArgumentException if it is not an IPv6 address, is outside the prefix, or has
   *     other bits set than those of an IPv4 address
   */
  public String extract(String address) {
    return tryExtract(address)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "address %s: expected one in %s%s"
                        .formatted(
                            Quoted.of(address),
                            prefix,
                            source == Source.IPV4
                                ? " that ends in the 32 bits of an IPv4 address after zeros"
                                : "")));
  }

  /** As {@link #extract}; empty if it throws. */
  public Optional<String> tryExtract(String address) {
    Optional<BigInteger> host = prefix.hostOf(address);
    return switch (source) {
      case IPV4 -> host.filter(bits -> bits.bitLength() <= IPV4_BITS).map(ALL_IPV4::addressAt);
      case CLIENT -> host.map(BigInteger::toString);
    };
  }

  private static BigInteger ipv4Number(String value) {
    return ALL_IPV4
        .hostOf(value)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "value " + Quoted.of(value) + ": expected an IPv4 address"));
  }

  private BigInteger clientNumber(String client) {
    int hostBits = 128 - prefix.prefixLength();
    if (NUMBER.matcher(client).matches()) {
      BigInteger number = new BigInteger(client);
      if (number.bitLength() <= hostBits) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "client %s: expected a whole number of at most %s bits, without leading zeros"
            .formatted(Quoted.of(client), hostBits));
  }
}
