package dev.mintmark;

/** The wording of a {@link MalformedIdException}: the expected value, the text, and the reason. */
final class Malformed {
  private Malformed() {}

  static MalformedIdException because(String what, String text, String why) {
    return new MalformedIdException("malformed " + what + " " + Quoted.of(text) + ": " + why);
  }

  static MalformedIdException length(String what, String text, int expected) {
    return because(what, text, "it has " + characters(text.length()) + ": expected " + expected);
  }

  /** Returns a number of characters in words: {@code 1 character}, {@code 25 characters}. */
  static String characters(int count) {
    return count == 1 ? "1 character" : count + " characters";
  }

  /** The character at {@code index}, counted from 0, is not {@code expected}. */
  static MalformedIdException character(String what, String text, int index, String expected) {
    return because(what, text, character(text, index) + " is not " + expected);
  }

  /** Names the character at {@code index}: {@code character 25, 'U',}. */
  static String character(String text, int index) {
    String quoted = Quoted.of(Character.toString(text.codePointAt(index)));
    return "character " + index + ", '" + quoted.substring(1, quoted.length() - 1) + "',";
  }
}
