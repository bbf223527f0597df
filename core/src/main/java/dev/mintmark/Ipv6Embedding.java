package dev.mintmark;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IPv6 address for every claim, computed and never stored: a number written into the low bits of
 * a prefix.
 *
 * <pre>
 *   2001:db8:42::/96 and the IPv4 address 45.67.80.1      2001:db8:42::2d43:5001
 *   2001:db8:42::/96 and the client 500000                2001:db8:42::7:a120
 * </pre>
 *
 * <p>It can be computed both ways, and no two values or clients share an address: each is written
 * in one way only, a client without leading zeros. Bits between the prefix and an IPv4 address are
 * zero.
 *
 * @param prefix an IPv6 block, of at most 96 bits where it embeds an IPv4 address; not one with
 *     addresses of ::ffff:0:0/96, which stand for IPv4 (RFC 4291 section 2.5.5.2)
 * @param source the number that is embedded
 */
public record Ipv6Embedding(CidrBlock prefix, Source source) {
  private static final int IPV4_BITS = 32;
  private static final CidrBlock ALL_IPV4 = CidrBlock.parse("0.0.0.0/0");

  /** As long as the greatest number of 128 bits. */
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,38}");

  /** What stands in the low bits. */
  public enum Source {
    /** The 32 bits of the IPv4 address that was granted. */
    IPV4,
    /** The client, which must then be a whole number that fits behind the prefix. */
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
   * Sees that a client can be embedded, before it claims anything. Where IPv4 addresses are
   * embedded, every client can.
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
   * @param client embedded by {@link Source#CLIENT}, which takes no notice of the value
   * @param value embedded by {@link Source#IPV4}, which takes no notice of the client
   * @throws IllegalArgumentException if what is embedded is not an IPv4 address, or not a number
   *     that fits, without leading zeros
   */
  public String addressFor(String client, String value) {
    return prefix.addressAt(
        switch (source) {
          case IPV4 -> ipv4Number(value);
          case CLIENT -> clientNumber(client);
        });
  }

  /**
   * Returns what is embedded in an address: the IPv4 address or the client.
   *
   * @throws IllegalArgumentException if nothing can be embedded there: it is no IPv6 address, lies
   *     outside the prefix, or has other bits set than those of an IPv4 address
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

  /** Returns what is embedded in an address, or empty where nothing can be. */
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
        "client %s: expected a whole number of at most %d bits, without leading zeros"
            .formatted(Quoted.of(client), hostBits));
  }
}
