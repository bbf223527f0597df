package dev.mintmark.client;

import dev.mintmark.Quoted;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Names in requests. What UTF-8 cannot encode is rejected before it is sent: an encoder would put a
 * question mark in its place, and two clients would become one.
 */
final class Names {
  private static final int LENGTH_MAX = 255;

  private Names() {}

  /**
   * Checks a name.
   *
   * @param what what the name is for, for the message
   * @throws IllegalArgumentException if it is empty or too long, or has control characters or half
   *     of a surrogate pair
   */
  static void check(String what, String name) {
    int length = name.codePointCount(0, name.length());
    if (length == 0 || length > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "%s %s: expected 1 to %s characters, got %s"
              .formatted(what, Quoted.of(name), LENGTH_MAX, length));
    }
    checkCharacters(what, name);
  }

  /**
   * Checks a text of any length.
   *
   * @throws IllegalArgumentException if it has control characters or half of a surrogate pair
   */
  static void checkCharacters(String what, String text) {
    for (int at = 0; at < text.length(); ) {
      int character = text.codePointAt(at);
      if (Character.isISOControl(character)
          || Character.getType(character) == Character.SURROGATE) {
        throw new IllegalArgumentException(
            "%s %s: character %s is a control character or half of a surrogate pair"
                .formatted(what, Quoted.of(text), at));
      }
      at += Character.charCount(character);
    }
  }

  /**
   * Encodes one segment of a path.
   *
   * @throws IllegalArgumentException if it is empty, has characters that a name does not have, or
   *     means a directory
   */
  static String segment(String what, String name) {
    checkCharacters(what, name);
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException(
          "%s %s: a path cannot contain it".formatted(what, Quoted.of(name)));
    }
    return encode(name);
  }

  /** Encodes a text for a path or a query. */
  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
