package dev.mintmark;

import java.math.BigInteger;

/**
 * An IPv6 address for every claim, computed and never stored: a number written into the low bits of
 * a prefix.
 *
 * @param prefix an IPv6 block; of at most 96 bits where it embeds an IPv4 address
 * @param source the number that is embedded
 */
public record Ipv6Embedding(CidrBlock prefix, Source source) {
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
    if (source == Source.IPV4 && prefix.prefixLength() > 96) {
      throw new IllegalArgumentException(
          "ipv6 prefix " + prefix + ": expected at most /96, an IPv4 address takes 32 bits");
    }
  }

  /**
   * Returns the address for a claim.
   *
   * @throws IllegalArgumentException if the client is embedded and is not a number that fits
   */
  public String addressFor(String client, String value) {
    return prefix.addressAt(
        switch (source) {
          case IPV4 -> CidrBlock.parse(value).number();
          case CLIENT -> clientNumber(client);
        });
  }

  private BigInteger clientNumber(String client) {
    int hostBits = 128 - prefix.prefixLength();
    if (!client.isEmpty()
        && client.length() <= 39
        && client.chars().allMatch(c -> c >= '0' && c <= '9')) {
      BigInteger number = new BigInteger(client);
      if (number.bitLength() <= hostBits) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "client " + Quoted.of(client) + ": expected a number of at most " + hostBits + " bits");
  }
}
