package dev.mintmark.client;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The header {@code Retry-After} (RFC 9110 section 10.2.3): seconds, or a date. */
final class RetryAfter {
  /** A longer time is taken for this one. */
  static final Duration MAX = Duration.ofDays(1);

  private static final int DIGITS_MAX = 18;

  private RetryAfter() {}

  /**
   * Returns how long an answer says to wait, 0 to {@link #MAX}; empty if it does not say so in a
   * form that can be read.
   *
   * @param clock for a date, if the answer has no {@code Date}: a difference between the clocks
   *     then counts
   */
  static Optional<Duration> of(HttpHeaders headers, InstantSource clock) {
    return headers
        .firstValue("Retry-After")
        .map(String::strip)
        .flatMap(text -> isNumber(text) ? seconds(text) : until(text, headers, clock))
        .map(length -> length.isNegative() ? Duration.ZERO : length)
        .map(length -> length.compareTo(MAX) > 0 ? MAX : length);
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static Optional<Duration> seconds(String text) {
    return Optional.of(text.length() > DIGITS_MAX ? MAX : Duration.ofSeconds(Long.parseLong(text)));
  }

  private static Optional<Duration> until(String text, HttpHeaders headers, InstantSource clock) {
    return date(text)
        .map(
            end ->
                Duration.between(
                    headers.firstValue("Date").flatMap(RetryAfter::date).orElseGet(clock::instant),
                    end));
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
