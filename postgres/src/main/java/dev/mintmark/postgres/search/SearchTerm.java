package dev.mintmark.postgres.search;

/**
 * A term of a search text.
 *
 * @param isIdentifier whether a column of identifiers reads it; it is then not looked up as a
 *     pattern and, if it is short, not inside values
 */
record SearchTerm(String text, boolean isIdentifier) {
  /** An index of trigrams serves no shorter text inside a value. */
  static final int INDEXED_LENGTH_MIN = 3;

  /** Returns whether no index serves the search for values that contain the term. */
  boolean isShort() {
    return text.codePointCount(0, text.length()) < INDEXED_LENGTH_MIN
        || text.codePoints().noneMatch(Character::isLetterOrDigit);
  }
}
