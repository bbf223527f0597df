package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import dev.mintmark.app.access.IpLiteral;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses of reverse proxies: {@code 10.0.0.0/8}. Headers about the client are believed from
 * them alone.
 */
public final class TrustedProxy {
  private static final Pattern CIDR = Pattern.compile("([0-9A-Fa-f:.]+)/([0-9]{1,3})");

  private final byte[] network;
  private final int bits;

  private TrustedProxy(byte[] network, int bits) {
    this.network = network;
    this.bits = bits;
  }

  /**
   * Reads a CIDR block.
   *
   * @throws IllegalArgumentException if it is malformed, or has bits after its prefix
   */
  public static TrustedProxy parse(String text) {
    Matcher cidr = CIDR.matcher(text);
    if (cidr.matches()) {
      Optional<InetAddress> address = IpLiteral.tryParse(cidr.group(1));
      int bits = Integer.parseInt(cidr.group(2));
      if (address.isPresent() && bits <= address.get().getAddress().length * Byte.SIZE) {
        TrustedProxy proxy = new TrustedProxy(address.get().getAddress(), bits);
        if (proxy.endsAfterPrefix()) {
          return proxy;
        }
      }
    }
    throw new IllegalArgumentException(
        "%s is not a CIDR block: expected one as 10.0.0.0/8 or 2001:db8::/32"
            .formatted(Quoted.of(text)));
  }

  private boolean endsAfterPrefix() {
    for (int i = bits; i < network.length * Byte.SIZE; i++) {
      if (bit(network, i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static int bit(byte[] address, int at) {
    return address[at / Byte.SIZE] >> (Byte.SIZE - 1 - at % Byte.SIZE) & 1;
  }

  /** Whether an address is one of a proxy. */
  boolean contains(String text) {
    return IpLiteral.tryParse(text).map(InetAddress::getAddress).filter(this::contains).isPresent();
  }

  private boolean contains(byte[] address) {
    if (address.length != network.length) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      if (bit(address, i) != bit(network, i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the client that a chain of proxies has passed on, as the last proxy that is trusted saw
   * it: what stands further to the left in the header, anybody may have written.
   *
   * @param peer the address of the connection
   * @param forwardedFor the values of {@code X-Forwarded-For}, the last proxy's last
   */
  String client(String peer, Iterable<String> forwardedFor) {
    String client = peer;
    String[] chain = String.join(",", forwardedFor).split(",", -1);
    for (int i = chain.length - 1; i >= 0 && contains(client); i--) {
      Optional<InetAddress> before = IpLiteral.tryParse(chain[i].strip());
      if (before.isEmpty()) {
        return client;
      }
      client = before.get().getHostAddress();
    }
    return client;
  }
}
