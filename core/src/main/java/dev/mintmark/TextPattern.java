package dev.mintmark;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A pattern of the texts of a format, in a part of the language of regular expressions. Immutable.
 *
 * <pre>
 *   PATTERN  one or more of ITEM
 *   ITEM     CHARACTER, or CHARACTER and a count
 *   CHARACTER  a letter or digit; one of - _ : ; / @ # % &amp; = , ~ ! ' " &lt; &gt;; any printable one after a
 *              backslash; one of a class in brackets, [0-9a-f]
 *   count    {N}, {N,M} or ?
 * </pre>
 *
 * <p>There are no groups, no alternatives and no unlimited repetition. So a pattern has a longest
 * text, of at most {@value Inspector#LENGTH_MAX} characters, and is matched without backtracking:
 * {@link #matches} takes time in proportion to the length of the text times the number of items,
 * whatever they are. {@link java.util.regex.Pattern} would take exponential time for some patterns,
 * and a server inspects texts of its clients. All patterns mean there what they mean here.
 */
final class TextPattern {
  /** The most items of a pattern. */
  static final int ITEMS_MAX = 64;

  private static final char FIRST = '!';
  private static final char LAST = '~';

  /** What has a meaning in regular expressions, and none or another one here. */
  private static final String RESERVED = "()[]{}*+?.|^$\\";

  private final String pattern;
  private final List<Item> items;

  private TextPattern(String pattern, List<Item> items) {
    this.pattern = pattern;
    this.items = List.copyOf(items);
  }

  /** Characters of a class, as one bit for each of ASCII, with a count. */
  private record Item(long low, long high, int min, int max) {
    boolean has(char c) {
      return c < Long.SIZE
          ? (low >>> c & 1) == 1
          : c < 2 * Long.SIZE && (high >>> (c - Long.SIZE) & 1) == 1;
    }

    boolean isOneCharacter() {
      return Long.bitCount(low) + Long.bitCount(high) == 1 && min == max;
    }

    char character() {
      return (char)
          (low != 0
              ? Long.numberOfTrailingZeros(low)
              : Long.SIZE + Long.numberOfTrailingZeros(high));
    }
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it is malformed, or longer than a text may be
   */
  static TextPattern parse(String pattern) {
    return new Parser(pattern).parse();
  }

  /** The characters of the shortest text. */
  int lengthMin() {
    return items.stream().mapToInt(Item::min).sum();
  }

  /** The characters of the longest text. */
  int lengthMax() {
    return items.stream().mapToInt(Item::max).sum();
  }

  /** The characters with which every text begins: {@code SO-} of {@code SO-[0-9]{6}}. */
  String start() {
    StringBuilder start = new StringBuilder();
    for (Item item : items) {
      if (!item.isOneCharacter()) {
        break;
      }
      start.append(String.valueOf(item.character()).repeat(item.min));
    }
    return start.toString();
  }

  /** Whether the whole text has the pattern. */
  boolean matches(String text) {
    int length = text.length();
    if (length < lengthMin() || length > lengthMax()) {
      return false;
    }
    BitSet ends = new BitSet(length + 1); // Where the items so far may end.
    ends.set(0);
    for (Item item : items) {
      ends = ends(item, text, ends);
      if (ends.isEmpty()) {
        return false;
      }
    }
    return ends.get(length);
  }

  /** Returns where an item may end that begins at one of the starts. */
  private static BitSet ends(Item item, String text, BitSet starts) {
    BitSet ends = new BitSet(text.length() + 1);
    int run = 0; // The characters of the class from a place on.
    for (int at = text.length(); at >= 0; at--) {
      run = at < text.length() && item.has(text.charAt(at)) ? run + 1 : 0;
      if (starts.get(at) && run >= item.min) {
        ends.set(at + item.min, at + Math.min(item.max, run) + 1);
      }
    }
    return ends;
  }

  @Override
  public String toString() {
    return pattern;
  }

  /** Reads one pattern. */
  private static final class Parser {
    private final String pattern;
    private final List<Item> items = new ArrayList<>();
    private int at;

    Parser(String pattern) {
      this.pattern = pattern;
    }

    TextPattern parse() {
      while (at < pattern.length()) {
        items.add(item());
      }
      TextPattern parsed = new TextPattern(pattern, items);
      if (items.size() > ITEMS_MAX) {
        throw malformed("it has %s items: expected at most %s".formatted(items.size(), ITEMS_MAX));
      }
      if (parsed.lengthMin() < 1 || parsed.lengthMax() > Inspector.LENGTH_MAX) {
        throw malformed(
            "its texts have %s to %s characters: expected 1 to %s"
                .formatted(parsed.lengthMin(), parsed.lengthMax(), Inspector.LENGTH_MAX));
      }
      return parsed;
    }

    private Item item() {
      long[] bits = new long[2];
      if (pattern.charAt(at) == '[') {
        readClass(bits);
      } else {
        add(bits, pattern.charAt(at) == '\\' ? escaped() : plain());
      }
      if (at < pattern.length() && pattern.charAt(at) == '?') {
        at++;
        return new Item(bits[0], bits[1], 0, 1);
      }
      return counted(bits);
    }

    private void readClass(long[] bits) {
      int start = at++;
      while (at < pattern.length() && pattern.charAt(at) != ']') {
        char first = ofClass();
        char last = first;
        if (at + 1 < pattern.length()
            && pattern.charAt(at) == '-'
            && pattern.charAt(at + 1) != ']') {
          at++;
          last = ofClass();
        }
        if (first > last) {
          throw unexpected(at - 1, "expected a range from the lower character to the higher");
        }
        for (char c = first; c <= last; c++) {
          add(bits, c);
        }
      }
      if (at == pattern.length() || (bits[0] | bits[1]) == 0) {
        throw unexpected(start, "expected characters and a bracket after them, as in [0-9a-f]");
      }
      at++;
    }

    private char ofClass() {
      char c = pattern.charAt(at);
      if (c == '\\') {
        return escaped();
      }
      if (c == '[' || c == '^' || c == '&') {
        throw unexpected(
            at, "it is not supported in a class: list the characters, \\" + c + " for itself");
      }
      return printable();
    }

    private char plain() {
      char c = pattern.charAt(at);
      if (RESERVED.indexOf(c) >= 0) {
        throw unexpected(
            at,
            switch (c) {
              case '(', ')', '|' ->
                  "groups and alternatives are not supported: declare a format for each";
              case '*', '+' -> "unlimited repetition is not supported: write a count, as in {1,12}";
              case '.' -> "expected a class of characters, as in [0-9a-z], or \\. for a dot";
              case '^', '$' -> "it is not needed: a pattern is that of the whole text";
              default -> "expected \\" + c + " for the character itself";
            });
      }
      return printable();
    }

    private char escaped() {
      at++;
      if (at == pattern.length()) {
        throw unexpected(at - 1, "expected a character after it");
      }
      char c = pattern.charAt(at);
      if (Character.isLetterOrDigit(c)) {
        throw unexpected(
            at, "escapes with letters and digits are not supported: write a class, as in [0-9]");
      }
      return printable();
    }

    private char printable() {
      char c = pattern.charAt(at);
      if (c < FIRST || c > LAST) {
        throw unexpected(at, "expected printable characters of ASCII without spaces");
      }
      at++;
      return c;
    }

    private Item counted(long[] bits) {
      if (at == pattern.length() || pattern.charAt(at) != '{') {
        return new Item(bits[0], bits[1], 1, 1);
      }
      int start = at;
      int end = pattern.indexOf('}', start);
      String count = end < 0 ? "" : pattern.substring(start + 1, end);
      if (!count.matches("[0-9]{1,3}(,[0-9]{1,3})?")) {
        throw unexpected(start, "expected a count, as in {12} or {6,12}");
      }
      int comma = count.indexOf(',');
      int min = Integer.parseInt(comma < 0 ? count : count.substring(0, comma));
      int max = comma < 0 ? min : Integer.parseInt(count.substring(comma + 1));
      if (max < 1 || max < min) {
        throw unexpected(start, "expected a count from 1 up, the lower number first");
      }
      at = end + 1;
      return new Item(bits[0], bits[1], min, max);
    }

    private static void add(long[] bits, char c) {
      bits[c / Long.SIZE] |= 1L << c; // The shift is modulo 64.
    }

    private IllegalArgumentException unexpected(int index, String why) {
      return malformed(
          "character %s, %s: %s"
              .formatted(index, Quoted.of(pattern.substring(index, index + 1)), why));
    }

    private IllegalArgumentException malformed(String why) {
      return new IllegalArgumentException(
          "malformed pattern %s: %s".formatted(Quoted.of(pattern), why));
    }
  }
}
