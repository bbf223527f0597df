package dev.mintmark.app.access;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** IP addresses in digits. Nothing else is an address here, so no name server is ever asked. */
public final class IpLiteral {
  /**
   * Four decimal octets, or what the JDK takes for an IPv6 address or rejects: it has a colon, and
   * begins with one or with a digit. The JDK looks up any other text.
   */
  private static final Pattern LITERAL =
      Pattern.compile(
          "(?:OCTET\\.){3}OCTET|(?=.*:)[0-9A-Fa-f:][0-9A-Fa-f:.]*"
              .replace("OCTET", "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"));

  private IpLiteral() {}

  /** Reads an address, an IPv6 address also in brackets; empty if it is none. */
  public static Optional<InetAddress> tryParse(String text) {
    String digits =
        text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    if (!LITERAL.matcher(digits).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(digits));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }
}
