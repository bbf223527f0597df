package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.internal.ClaimName;
import java.util.Optional;

/**
 * Which clients or owners are searched for: the one with a name, or all whose names have a prefix.
 * Letter case counts, and so does every other difference between two characters.
 *
 * @param text the name, or the prefix: 1 to {@value ClaimRequest#NAME_LENGTH_MAX} characters
 * @param isPrefix whether the text is a prefix
 */
public record NameMatch(String text, boolean isPrefix) {
  /**
   * @throws IllegalArgumentException if no name has such a text
   */
  public NameMatch {
    ClaimName.check(isPrefix ? "prefix" : "name", text);
  }

  /** Matches one name. */
  public static NameMatch exactly(String name) {
    return new NameMatch(name, false);
  }

  /** Matches every name with a prefix. */
  public static NameMatch startingWith(String prefix) {
    return new NameMatch(prefix, true);
  }

  /** The name, if one is matched. */
  Optional<String> exact() {
    return isPrefix ? Optional.empty() : Optional.of(text);
  }

  /** The first of the texts with the prefix, in the order of code points. */
  Optional<String> from() {
    return isPrefix ? Optional.of(text) : Optional.empty();
  }

  /**
   * The first text after those with the prefix, in the order of code points. Empty if there is
   * none.
   */
  Optional<String> until() {
    return isPrefix ? after(text) : Optional.empty();
  }

  /** The first text after all texts with a prefix, in the order of code points. */
  static Optional<String> after(String prefix) {
    int end = prefix.length();
    while (end > 0) {
      int last = prefix.codePointBefore(end);
      end -= Character.charCount(last);
      if (last < Character.MAX_CODE_POINT) {
        // The numbers of surrogates are not characters.
        int next = last == Character.MIN_SURROGATE - 1 ? Character.MAX_SURROGATE + 1 : last + 1;
        return Optional.of(prefix.substring(0, end) + Character.toString(next));
      }
    }
    return Optional.empty();
  }
}
