package dev.mintmark;

/**
 * Letter case as in RFC 3986: of {@code A-Z} and {@code a-z} only. Folding other letters would
 * depend on the language and on the version of Unicode.
 */
final class AsciiCase {
  private static final int LOWER_BIT = 0x20;

  private AsciiCase() {}

  /** Returns {@code text} with {@code A-Z} in lower case; the same text if there are none. */
  static String lower(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUpper(text.charAt(i))) {
        return lowerFrom(text, i);
      }
    }
    return text;
  }

  static char lower(char c) {
    return isUpper(c) ? (char) (c | LOWER_BIT) : c;
  }

  private static String lowerFrom(String text, int first) {
    char[] lower = text.toCharArray();
    for (int i = first; i < lower.length; i++) {
      lower[i] = lower(lower[i]);
    }
    return new String(lower);
  }

  private static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }
}
