package dev.mintmark.postgres.internal;

import dev.mintmark.Quoted;

/** What names of clients and owners of claims may be. */
public final class ClaimName {
  /** The longest name, in characters: code points, as the database counts them. */
  public static final int LENGTH_MAX = 255;

  private ClaimName() {}

  /**
   * Checks a name.
   *
   * @param what what the name is for, for the message
   * @throws IllegalArgumentException if the name is empty or too long, or has control characters or
   *     half of a surrogate pair
   */
  public static void check(String what, String name) {
    int length = name.codePointCount(0, name.length());
    if (length == 0 || length > LENGTH_MAX) {
      throw new IllegalArgumentException(
          what
              + " "
              + Quoted.of(name)
              + ": expected 1 to "
              + LENGTH_MAX
              + " characters, got "
              + length);
    }
    checkCharacters(what, name);
  }

  /**
   * Checks the characters of a text, whatever its length.
   *
   * @param what what the text is, for the message
   * @throws IllegalArgumentException if it has control characters or half of a surrogate pair
   */
  public static void checkCharacters(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        throw new IllegalArgumentException(
            what
                + " "
                + Quoted.of(text)
                + ": character "
                + text.codePointCount(0, i)
                + " is a control character");
      }
      if (Character.isSurrogate(c)) {
        if (Character.charCount(text.codePointAt(i)) == 1) {
          throw new IllegalArgumentException(
              what + " " + Quoted.of(text) + ": half of a surrogate pair is missing");
        }
        i++;
      }
    }
  }
}
