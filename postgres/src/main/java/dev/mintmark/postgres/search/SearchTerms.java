package dev.mintmark.postgres.search;

import dev.mintmark.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The terms of a search text: separated by white space or commas, or in double quotes.
 *
 * <pre>
 *   tanaka, fox,a{1,2}      tanaka | fox | a{1,2}      not at a comma in braces, as in a pattern
 *   acme "new york" 5"      acme | new york | 5"
 *   "new york               new york             an unclosed quote extends to the end
 * </pre>
 */
final class SearchTerms {
  private static final char QUOTE = '"';
  private static final char ZERO_WIDTH_SPACE = '\u200b';
  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final String text;
  private int at;

  private SearchTerms(String text) {
    this.text = text;
  }

  /**
   * Splits a text. Terms that consist only of white space are ignored.
   *
   * @throws MalformedSearchException if the text or their number exceeds its limit, or a character
   *     cannot be stored
   */
  static List<String> of(String text) {
    check(text);
    List<String> terms = new SearchTerms(text).split();
    if (terms.size() > Search.TERMS_MAX) {
      throw new MalformedSearchException(
          "search text %s has %s terms: expected at most %s: put words that belong together in quotes"
              .formatted(Quoted.of(text), terms.size(), Search.TERMS_MAX));
    }
    return terms;
  }

  private static void check(String text) {
    if (text.length() > Search.TEXT_LENGTH_MAX) {
      throw new MalformedSearchException(
          "search text %s: expected at most %s characters"
              .formatted(Quoted.of(text), Search.TEXT_LENGTH_MAX));
    }
    int nul = text.indexOf('\0');
    if (nul >= 0) {
      throw new MalformedSearchException(
          "search text %s: character %s is U+0000, which no column can hold"
              .formatted(Quoted.of(text), nul));
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw new MalformedSearchException(
          "search text %s: half of a surrogate pair is missing".formatted(Quoted.of(text)));
    }
  }

  private List<String> split() {
    List<String> terms = new ArrayList<>();
    while (at < text.length()) {
      String term = text.charAt(at) == QUOTE ? phrase() : word();
      if (!isBlank(term)) {
        terms.add(term);
      }
    }
    return terms;
  }

  /** Consumes the text up to the next quote, and both quotes. */
  private String phrase() {
    int from = at + 1;
    int close = text.indexOf(QUOTE, from);
    int end = close < 0 ? text.length() : close;
    at = end + 1;
    return text.substring(from, end);
  }

  /**
   * Consumes the text up to the next white space or comma. A quote in a word is an ordinary
   * character.
   */
  private String word() {
    int from = at;
    while (at < text.length() && !isSpace(text.charAt(at)) && !isSeparatingComma(from)) {
      at++;
    }
    return text.substring(from, at++);
  }

  private boolean isSeparatingComma(int from) {
    if (text.charAt(at) != ',') {
      return false;
    }
    String before = text.substring(from, at);
    return before.lastIndexOf('{') <= before.lastIndexOf('}');
  }

  private static boolean isBlank(String term) {
    return term.chars().allMatch(SearchTerms::isSpace);
  }

  /**
   * White space of Unicode, including no-break spaces, and zero-width characters of pasted text.
   */
  private static boolean isSpace(int c) {
    return Character.isWhitespace(c)
        || Character.isSpaceChar(c)
        || c == ZERO_WIDTH_SPACE
        || c == BYTE_ORDER_MARK;
  }
}
