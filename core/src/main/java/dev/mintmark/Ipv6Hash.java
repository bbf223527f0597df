package dev.mintmark;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A static IPv6 address for a client that is not a number: a hash of its name in the low bits of a
 * prefix. {@link Ipv6Embedding} embeds numbers, which can be read back.
 *
 * <pre>
 *   2001:db8:42::/64 and the client vm-43943      2001:db8:42:0:fc80:f495:f122:1f11
 *   prefix                                        the first 64 bits of SHA-256("vm-43943")
 * </pre>
 *
 * <p>The hash is that of the client in UTF-8, without a salt: the same client has the same low bits
 * under every prefix of the same length, on every machine, and anyone can compute them.
 *
 * <p><b>Two clients can have one address.</b> Store the address with the client in a table with a
 * unique index, which rejects the second one, and give that client another name. {@link
 * #collisionProbability} is the probability that this is ever needed. The client cannot be read
 * from the address, except from such a table.
 *
 * <p>Immutable and thread-safe.
 *
 * @param prefix an IPv6 block of at most {@value #PREFIX_LENGTH_MAX} bits; not one with addresses
 *     of ::ffff:0:0/96, which represent IPv4 (RFC 4291 section 2.5.5.2)
 */
public record Ipv6Hash(CidrBlock prefix) {
  /** The longest prefix: 32 bits are left for the hash. */
  public static final int PREFIX_LENGTH_MAX = 96;

  /** The most characters of a client. */
  public static final int CLIENT_LENGTH_MAX = 255;

  private static final int ADDRESS_BITS = 128;
  private static final int HASH_BITS = 256;

  public Ipv6Hash {
    if (prefix.isIpv4()) {
      throw new IllegalArgumentException("ipv6 prefix " + prefix + ": expected an IPv6 block");
    }
    if (prefix.hasMappedIpv4()) {
      throw new IllegalArgumentException(
          "ipv6 prefix " + prefix + ": it has addresses of ::ffff:0:0/96, which are IPv4");
    }
    if (prefix.prefixLength() > PREFIX_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "ipv6 prefix %s: expected at most /%s, so that the hash has 32 bits or more"
              .formatted(prefix, PREFIX_LENGTH_MAX));
    }
  }

  /**
   * Returns the address of a client: the first bits of the SHA-256 of its name after the prefix.
   *
   * @param client any Unicode text of 1 to {@value #CLIENT_LENGTH_MAX} characters; texts that
   *     differ in the case of a letter are different clients
   * @throws IllegalArgumentException if it is empty, longer, or not Unicode (a lone surrogate)
   */
  public String addressFor(String client) {
    if (client.isEmpty() || client.length() > CLIENT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "client %s: expected 1 to %s characters".formatted(Quoted.of(client), CLIENT_LENGTH_MAX));
    }
    if (!Unicode.isWellFormed(client)) {
      throw new IllegalArgumentException("client " + Quoted.of(client) + " is not Unicode");
    }
    byte[] hash = sha256().digest(client.getBytes(StandardCharsets.UTF_8));
    return prefix.addressAt(new BigInteger(1, hash).shiftRight(HASH_BITS - hashBits()));
  }

  /**
   * Returns the probability that two of some clients have one address, 0 to 1: about {@code
   * clients^2 / 2^(hash bits + 1)} as long as that is small.
   *
   * @param clients how many there are, 0 or more
   * @throws IllegalArgumentException if the number is negative
   */
  public double collisionProbability(long clients) {
    if (clients < 0) {
      throw new IllegalArgumentException(clients + " clients: expected 0 or more");
    }
    double pairs = 0.5 * clients * (clients - 1.0);
    return -Math.expm1(-Math.scalb(pairs, -hashBits()));
  }

  private int hashBits() {
    return ADDRESS_BITS - prefix.prefixLength();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
