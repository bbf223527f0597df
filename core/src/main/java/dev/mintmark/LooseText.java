package dev.mintmark;

import java.util.function.IntPredicate;

/** An identifier as people type, speak and paste it. */
final class LooseText {
  /** The most characters: room for an identifier with a hyphen after each character. */
  static final int LENGTH_MAX = 80;

  private final String what;
  private final String text;
  private final int from;
  private final int end;

  private LooseText(String what, String text, int from, int end) {
    this.what = what;
    this.text = text;
    this.from = from;
    this.end = end;
  }

  /**
   * Returns the text without white space around it.
   *
   * @throws MalformedIdException if it has more than {@value #LENGTH_MAX} characters
   */
  static LooseText of(String what, String text) {
    if (text.length() > LENGTH_MAX) {
      throw Malformed.because(
          what, text, "it has " + text.length() + " characters: expected at most " + LENGTH_MAX);
    }
    int end = text.stripTrailing().length();
    int from = text.length() - text.stripLeading().length();
    return new LooseText(what, text, Math.min(from, end), end);
  }

  /** Removes the prefix, in either letter case, if the text begins with it. */
  LooseText after(String prefix) {
    boolean begins = text.regionMatches(true, from, prefix, 0, prefix.length());
    return begins && end - from >= prefix.length()
        ? new LooseText(what, text, from + prefix.length(), end)
        : this;
  }

  /** Removes these two characters around the text, if it has them. */
  LooseText within(char open, char close) {
    boolean isWithin =
        end - from >= 2 && text.charAt(from) == open && text.charAt(end - 1) == close;
    return isWithin ? new LooseText(what, text, from + 1, end - 1) : this;
  }

  /** Returns the text without hyphens. */
  String digits() {
    return text.substring(from, end).replace("-", "");
  }

  /** Returns why {@link #digits} is malformed, with the index in the original text. */
  MalformedIdException malformed(int count, IntPredicate isDigit, String digit) {
    int digits = 0;
    for (int i = from; i < end; i++) {
      if (text.charAt(i) != '-') {
        if (!isDigit.test(text.charAt(i))) {
          return Malformed.character(what, text, i, digit);
        }
        digits++;
      }
    }
    return Malformed.because(
        what,
        text,
        digits == count
            ? "it exceeds 128 bits"
            : "it has " + Malformed.characters(digits) + " without hyphens: expected " + count);
  }

  @Override
  public String toString() {
    return text.substring(from, end);
  }
}
