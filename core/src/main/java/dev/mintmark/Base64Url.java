package dev.mintmark;

import java.util.Base64;

/**
 * 128 bits as 22 characters of the URL-safe base 64 of RFC 4648 section 5, without padding. 22
 * characters hold 132 bits: the last four are zero, so that an identifier has one text only.
 */
final class Base64Url {
  static final int LENGTH = 22;

  private static final String WHAT = "base64url";
  private static final String LAST = "AQgw";

  /** A regular expression of the texts that are read. */
  static final String PATTERN = "[A-Za-z0-9_\\-]{21}[" + LAST + "]";

  private Base64Url() {}

  static String write(Ulid id) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(id.toBytes());
  }

  static Ulid read(String text) {
    if (text.length() != LENGTH) {
      throw Malformed.length(WHAT, text, LENGTH);
    }
    for (int i = 0; i < LENGTH; i++) {
      if (!isDigit(text.charAt(i))) {
        throw Malformed.character(WHAT, text, i, "one of A-Z, a-z, 0-9, '-' and '_'");
      }
    }
    if (LAST.indexOf(text.charAt(LENGTH - 1)) < 0) {
      throw Malformed.character(WHAT, text, LENGTH - 1, "A, Q, g or w: it exceeds 128 bits");
    }
    return Ulid.fromBytes(Base64.getUrlDecoder().decode(text));
  }

  private static boolean isDigit(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }
}
