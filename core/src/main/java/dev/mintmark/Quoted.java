package dev.mintmark;

/**
 * Quotes text from outside for a message: in double quotes, truncated to {@value #LENGTH_MAX}
 * characters, with control characters, line separators and lone surrogates shown as {@code
 * \\uXXXX}.
 *
 * <p>Time and space are proportional to the truncated text, not to the whole text.
 */
public final class Quoted {
  /** The most characters that are shown; a longer text is truncated and its length added. */
  public static final int LENGTH_MAX = 64;

  private Quoted() {}

  /** Returns {@code text} in double quotes, safe to print on a terminal or in a log. */
  public static String of(CharSequence text) {
    int shown = Math.min(text.length(), LENGTH_MAX);
    StringBuilder quoted = new StringBuilder(shown + 32).append('"');
    for (int i = 0; i < shown; i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (isPlain(c)) {
        quoted.append(c);
      } else if (i + 1 < shown && isPlain(Character.codePointAt(text, i))) {
        quoted.append(c).append(text.charAt(++i));
      } else {
        quoted.append(String.format("\\u%04x", (int) c));
      }
    }
    quoted.append('"');
    if (shown < text.length()) {
      quoted.append("... (").append(text.length()).append(" characters)");
    }
    return quoted.toString();
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
