package dev.mintmark.operations.migrate;

import java.util.Locale;

/** What becomes of texts in a key column that are no identifiers of its form. None is dropped. */
public enum InvalidValues {
  /** The plan says how many there are, and is not applied. */
  REFUSE,
  /**
   * Spaces around it, hyphens, and the letters I, L and O for digits are read as what they stand
   * for; other texts are refused.
   */
  NORMALISE,
  /**
   * What cannot be read either way gets a UUIDv8 made of its text (RFC 9562 section 5.8), the same
   * wherever the text occurs; which text that was is kept in {@code mintmark.key_quarantine}.
   */
  QUARANTINE;

  /** The name by which commands call this: {@code refuse}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
