package dev.mintmark.postgres.pool;

import java.util.Optional;

/**
 * Which labels are searched for: those with a key and a value, or with a key and a beginning of the
 * value.
 *
 * @param key the whole key
 * @param text the value, or its beginning, which may be empty
 * @param isPrefix whether the text is a beginning
 */
public record LabelMatch(String key, String text, boolean isPrefix) {
  /**
   * @throws IllegalArgumentException if no label has such a key or value
   */
  public LabelMatch {
    ClaimNote.checkKey(key);
    ClaimNote.checkValue(key, text);
  }

  /** Matches one value of a key. */
  public static LabelMatch exactly(String key, String value) {
    return new LabelMatch(key, value, false);
  }

  /** Matches every value of a key that has a prefix; an empty prefix matches every value. */
  public static LabelMatch startingWith(String key, String prefix) {
    return new LabelMatch(key, prefix, true);
  }

  Optional<String> exact() {
    return isPrefix ? Optional.empty() : Optional.of(text);
  }

  Optional<String> from() {
    return isPrefix ? Optional.of(text) : Optional.empty();
  }

  Optional<String> until() {
    return isPrefix ? NameMatch.after(text) : Optional.empty();
  }
}
