package dev.mintmark.postgres.search;

import dev.mintmark.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The terms of a search text: what white space parts, and what stands in double quotes.
 *
 * <pre>
 *   acme "new york" 5"      acme | new york | 5"
 *   "new york               new york             a quote that nothing closes goes on to the end
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
   * Splits a text. A term of white space alone is none.
   *
   * @throws MalformedSearchException if the text or their number exceeds its limit, or a character
   *     cannot be in a column
   */
  static List<String> of(String text) {
    check(text);
    List<String> terms = new SearchTerms(text).split();
    if (terms.size() > Search.TERMS_MAX) {
      throw new MalformedSearchException(
          "search text %s has %d terms: expected at most %d: put what belongs together in quotes"
              .formatted(Quoted.of(text), terms.size(), Search.TERMS_MAX));
    }
    return terms;
  }

  private static void check(String text) {
    if (text.length() > Search.TEXT_LENGTH_MAX) {
      throw new MalformedSearchException(
          "search text %s: expected at most %d characters"
              .formatted(Quoted.of(text), Search.TEXT_LENGTH_MAX));
    }
    int nul = text.indexOf('\0');
    if (nul >= 0) {
      throw new MalformedSearchException(
          "search text %s: character %d is U+0000, which no column holds"
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

  /** Takes what is between this quote and the next, and both. */
  private String phrase() {
    int from = at + 1;
    int close = text.indexOf(QUOTE, from);
    int end = close < 0 ? text.length() : close;
    at = end + 1;
    return text.substring(from, end);
  }

  /** Takes what is before the next white space, and that. A quote inside a word is itself. */
  private String word() {
    int from = at;
    while (at < text.length() && !isSpace(text.charAt(at))) {
      at++;
    }
    return text.substring(from, at++);
  }

  private static boolean isBlank(String term) {
    return term.chars().allMatch(SearchTerms::isSpace);
  }

  /**
   * White space of Unicode, no-break spaces among it, and what pasting brings along of no width.
   */
  private static boolean isSpace(int c) {
    return Character.isWhitespace(c)
        || Character.isSpaceChar(c)
        || c == ZERO_WIDTH_SPACE
        || c == BYTE_ORDER_MARK;
  }
}
