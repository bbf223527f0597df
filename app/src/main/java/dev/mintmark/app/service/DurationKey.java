package dev.mintmark.app.service;

import dev.mintmark.DurationText;
import java.time.Duration;

/** Lengths of time that users and clients write. */
public final class DurationKey {
  private DurationKey() {}

  /**
   * Reads a length of time.
   *
   * @param name the key or the option, for the message
   * @throws IllegalArgumentException if the text is not one that {@link DurationText} reads
   */
  public static Duration parse(String name, String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }
}
