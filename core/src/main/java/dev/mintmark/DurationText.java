package dev.mintmark;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: {@code 500ms}, {@code 30s}, {@code 10m}, {@code 2h}, {@code 7d},
 * several in a row as {@code 1h30m}, or ISO-8601 ({@code PT30S}). A day is 24 hours.
 */
public final class DurationText {
  private static final Pattern PART = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
  private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");

  private DurationText() {}

  /**
   * Returns the duration that {@code text} represents.
   *
   * @throws IllegalArgumentException if it is malformed; the message quotes it
   */
  public static Duration parse(String text) {
    if (text.length() <= 64) {
      if (WHOLE.matcher(text).matches()) {
        return sum(text);
      }
      if (text.startsWith("P")) {
        try {
          return Duration.parse(text);
        } catch (DateTimeException e) {
          throw malformed(text);
        }
      }
    }
    throw malformed(text);
  }

  /** Writes a duration so that {@link #parse} reads it back, truncated to milliseconds. */
  public static String format(Duration duration) {
    if (duration.toSeconds() == 0 && duration.toMillisPart() == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toDaysPart(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    append(text, duration.toMillisPart(), "ms");
    return text.toString();
  }

  private static Duration sum(String text) {
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long count = Long.parseLong(part.group(1));
      sum =
          sum.plus(
              switch (part.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofDays(count);
              });
    }
    return sum;
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count != 0) {
      text.append(count).append(unit);
    }
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "malformed duration " + Quoted.of(text) + ": expected one such as 500ms, 30s, 10m, 1h30m");
  }
}
