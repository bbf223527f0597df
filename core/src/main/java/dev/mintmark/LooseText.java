package dev.mintmark;

/** An identifier as people type, speak and paste it. */
final class LooseText {
  /** Characters that are looked at: room for an identifier with a hyphen behind each character. */
  static final int LENGTH_MAX = 80;

  private LooseText() {}

  /**
   * Returns the text without white space around it and without hyphens.
   *
   * @throws MalformedIdException if it has more than {@value #LENGTH_MAX} characters
   */
  static String compact(String what, String text) {
    return strip(what, text).replace("-", "");
  }

  /**
   * Returns the text without white space around it.
   *
   * @throws MalformedIdException if it has more than {@value #LENGTH_MAX} characters
   */
  static String strip(String what, String text) {
    if (text.length() > LENGTH_MAX) {
      throw Malformed.because(
          what, text, "it has " + text.length() + " characters: expected at most " + LENGTH_MAX);
    }
    return text.strip();
  }
}
