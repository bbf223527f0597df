package dev.mintmark;

import java.util.regex.Pattern;

/** What namespaces, collections and pools may be called, so that a name fits a pURI and a URL. */
final class CatalogName {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
  private static final Pattern CODE = Pattern.compile("[a-z][a-z0-9]{0,7}");

  private CatalogName() {}

  /**
   * Returns {@code name} if it is well formed.
   *
   * @param what whose name it is, for the message: {@code pool}
   * @throws IllegalArgumentException if it is not
   */
  static String check(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "malformed "
              + what
              + " name "
              + Quoted.of(name)
              + ": expected 1 to 63 of a-z, 0-9 and '-', starting with a letter");
    }
    return name;
  }

  /**
   * Checks a code, which stands for a name in compact pURIs.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static void checkCode(String code) {
    if (!CODE.matcher(code).matches()) {
      throw new IllegalArgumentException(
          "malformed code "
              + Quoted.of(code)
              + ": expected 1 to 8 of a-z and 0-9, starting with a letter");
    }
  }
}
