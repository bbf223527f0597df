package dev.mintmark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The identifiers that a text may contain which somebody copied from a log, a program or a browser:
 * the text itself, then without quotes, brackets and the names of types around it, then the parts
 * of a URL.
 *
 * @param text the text of the identifier
 * @param start its place in the text that was copied
 */
record Pasted(String text, int start) {
  /** The most layers around an identifier: {@code ("ObjectId('...')")}. */
  private static final int LAYERS_MAX = 6;

  /** What opens a pair of quotes or brackets, and what closes it. */
  private static final String PAIRS = "\"\"''``\u201C\u201D\u2018\u2019\u00AB\u00BB()[]{}<>";

  /** {@code 0x} of MySQL and SQL Server, {@code \x} of PostgreSQL's bytea. */
  private static final Pattern HEX_PREFIX = Pattern.compile("(0[xX]|\\\\+x)(?=[0-9A-Fa-f])");

  /** {@code ObjectId(...)}, {@code X'...'}, {@code uuid '...'}. */
  private static final Pattern NAME_BEFORE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]* *(?=[('\"])");

  /** {@code ::uuid}, and the punctuation of the sentence around it. */
  private static final Pattern TAIL = Pattern.compile("(::[A-Za-z_]+|[,;.])$");

  private static final Pattern URL = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*");
  private static final Pattern URL_PART = Pattern.compile("[^/?&=#]+");

  /** Returns what a text may contain, the most likely first. */
  static List<Pasted> of(String text) {
    Set<Pasted> found = new LinkedHashSet<>();
    Pasted whole = new Pasted(text, 0);
    Pasted layer = whole;
    for (int i = 0; i < LAYERS_MAX; i++) {
      found.add(layer);
      layer = layer.unwrapped();
    }
    addPartsOfUrl(layer, found);
    return List.copyOf(found);
  }

  /** Returns the text without all layers. */
  static Pasted innermost(String text) {
    List<Pasted> found = of(text);
    int last = 0;
    while (last + 1 < Math.min(found.size(), LAYERS_MAX)
        && found.get(last).text.contains(found.get(last + 1).text)
        && found.get(last).unwrapped().equals(found.get(last + 1))) {
      last++;
    }
    return found.get(last);
  }

  /** Returns the text without its outermost layer. */
  private Pasted unwrapped() {
    String stripped = text.strip();
    if (stripped.length() < text.length()) {
      int leading = text.length() - text.stripLeading().length();
      return stripped.isEmpty() ? this : new Pasted(stripped, start + leading);
    }
    int length = text.length();
    if (length < 2) {
      return this;
    }
    int pair = PAIRS.indexOf(text.charAt(0));
    if (pair >= 0 && pair % 2 == 0 && text.charAt(length - 1) == PAIRS.charAt(pair + 1)) {
      return part(1, length - 1);
    }
    Matcher before = NAME_BEFORE.matcher(text);
    if (before.lookingAt()) {
      return part(before.end(), length);
    }
    Matcher hex = HEX_PREFIX.matcher(text);
    if (hex.lookingAt()) {
      return part(hex.end(), length);
    }
    Matcher tail = TAIL.matcher(text);
    return tail.find() ? part(0, tail.start()) : this;
  }

  private Pasted part(int from, int end) {
    return end <= from ? this : new Pasted(text.substring(from, end), start + from);
  }

  /** Adds the segments of the path and the values of the query, the longest first. */
  private static void addPartsOfUrl(Pasted whole, Set<Pasted> found) {
    Matcher url = URL.matcher(whole.text);
    boolean isPath = whole.text.startsWith("/");
    if (!isPath && !url.lookingAt()) {
      return;
    }
    Matcher part = URL_PART.matcher(whole.text);
    List<Pasted> parts = new ArrayList<>();
    part.region(isPath ? 0 : url.end(), whole.text.length());
    while (part.find()) {
      parts.add(0, whole.part(part.start(), part.end()));
    }
    parts.sort(Comparator.comparingInt((Pasted one) -> -one.text.length()));
    found.addAll(parts);
  }
}
