package dev.mintmark.app.service;

import dev.mintmark.Quoted;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times that users and clients write. */
public final class InstantText {
  private static final Instant MIN = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant MAX = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private InstantText() {}

  /**
   * Reads an ISO-8601 time in UTC of the years 0 to 9999, which PostgreSQL can store too.
   *
   * @param name the parameter, for the message
   * @throws IllegalArgumentException if the text is not such a time
   */
  public static Instant parse(String name, String text) {
    try {
      Instant instant = Instant.parse(text);
      if (!instant.isBefore(MIN) && !instant.isAfter(MAX)) {
        return instant;
      }
    } catch (DateTimeException e) {
      throw malformed(name, text, e);
    }
    throw malformed(name, text, null);
  }

  private static IllegalArgumentException malformed(
      String name, String text, @Nullable DateTimeException cause) {
    return new IllegalArgumentException(
        "%s is %s: expected a time as in 2026-11-21T12:00:00Z".formatted(name, Quoted.of(text)),
        cause);
  }
}
