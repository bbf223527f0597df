package dev.mintmark.app.log;

import dev.mintmark.app.access.KeyText;

/**
 * Text in a log line. What ends a line, moves the cursor or changes the direction of writing is
 * escaped, so that a text of a client cannot look like a line of its own; what looks like an API
 * key is hidden.
 */
final class EscapedText {
  /** The maximum of characters of a text: a longer one is cut. */
  static final int LENGTH_MAX = 8_192;

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private EscapedText() {}

  /** Appends a text for people. */
  static void append(StringBuilder line, String text) {
    escape(line, cut(text), false);
  }

  /** Appends a value for people, in quotes if it would not be one word. */
  static void appendWord(StringBuilder line, String text) {
    boolean isWord = !text.isEmpty() && text.chars().noneMatch(c -> c <= ' ' || c == '"');
    if (isWord) {
      append(line, text);
    } else {
      appendJson(line, text);
    }
  }

  /** Appends a text as a string of JSON. */
  static void appendJson(StringBuilder line, String text) {
    appendWholeJson(line, cut(text));
  }

  /** As {@link #appendJson}, for a text whose length has a limit already. */
  static void appendWholeJson(StringBuilder line, String text) {
    line.append('"');
    escape(line, KeyText.hideIn(text), true);
    line.append('"');
  }

  private static void escape(StringBuilder line, String text, boolean isQuoted) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        case '\t' -> line.append("\\t");
        case '"', '\\' -> {
          if (isQuoted) {
            line.append('\\');
          }
          line.append(c);
        }
        default -> {
          if (isUnsafe(c)) {
            appendCode(line, c);
          } else {
            line.append(c);
          }
        }
      }
    }
  }

  /** Hides keys first: a part of one would not be recognized. */
  private static String cut(String text) {
    String shown = KeyText.hideIn(text);
    return shown.length() <= LENGTH_MAX ? shown : shown.substring(0, LENGTH_MAX) + "...";
  }

  private static boolean isUnsafe(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static void appendCode(StringBuilder line, char c) {
    line.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      line.append(HEX[c >> shift & 15]);
    }
  }
}
