package dev.mintmark;

/** The evidence that a text in a notation is an identifier of a kind. */
enum Evidence {
  /** Hardly any other kind has this notation. */
  NOTATION,
  /** Bits that are fixed in the kind have their fixed values. */
  MARK,
  /** Check digits in it are right. */
  CHECK,
  /** A catalog declares its form. */
  DECLARED,
  /** Only the time in it. */
  TIME,
  /** Only its form; no better evidence is known. */
  LOOK,
  /** Only its form, which texts of other kinds have as well. */
  NOTHING_ELSE,
  /** Only a loose form, which texts of many kinds have. */
  SHAPE
}
