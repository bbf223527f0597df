package dev.mintmark;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Writes the text of {@link Form#TIME} into bytes: {@code 2022-03-31T15:23:55.999Z}. */
final class TimeText {
  /** The most characters: those of a year after 9999. */
  static final int LENGTH_MAX = 27;

  private static final int LENGTH = 24;
  private static final long DAY_MILLIS = 86_400_000;

  /** 0000-03-01 and 9999-12-31, as days since 1970. */
  private static final long FIRST_DAY = -719_468;

  private static final long LAST_DAY = 2_932_896;

  /** The days of 400 years of the Gregorian calendar. */
  private static final int ERA_DAYS = 146_097;

  private TimeText() {}

  /** Writes a time in UTC; returns the number of bytes. */
  static int write(long epochMillis, byte[] target, int at) {
    long day = Math.floorDiv(epochMillis, DAY_MILLIS);
    if (day < FIRST_DAY || day > LAST_DAY) {
      byte[] text =
          Form.timeText(Instant.ofEpochMilli(epochMillis)).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(text, 0, target, at, text.length);
      return text.length;
    }
    date((int) (day - FIRST_DAY), target, at);
    timeOfDay((int) Math.floorMod(epochMillis, DAY_MILLIS), target, at + 10);
    return LENGTH;
  }

  /**
   * Years are counted from March, so that the leap day is the last one; months have a fixed length
   * then, see H. Hinnant, "chrono-compatible low-level date algorithms".
   *
   * @param days since 0000-03-01
   */
  private static void date(int days, byte[] target, int at) {
    int era = days / ERA_DAYS;
    int dayOfEra = days % ERA_DAYS;
    int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int monthFromMarch = (5 * dayOfYear + 2) / 153;
    int dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
    int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
    int year = 400 * era + yearOfEra + (month <= 2 ? 1 : 0);
    two(year / 100, target, at);
    two(year % 100, target, at + 2);
    target[at + 4] = '-';
    two(month, target, at + 5);
    target[at + 7] = '-';
    two(dayOfMonth, target, at + 8);
  }

  private static void timeOfDay(int millis, byte[] target, int at) {
    target[at] = 'T';
    two(millis / 3_600_000, target, at + 1);
    target[at + 3] = ':';
    two(millis / 60_000 % 60, target, at + 4);
    target[at + 6] = ':';
    two(millis / 1_000 % 60, target, at + 7);
    target[at + 9] = '.';
    target[at + 10] = (byte) ('0' + millis % 1_000 / 100);
    two(millis % 100, target, at + 11);
    target[at + 13] = 'Z';
  }

  private static void two(int number, byte[] target, int at) {
    target[at] = (byte) ('0' + number / 10);
    target[at + 1] = (byte) ('0' + number % 10);
  }
}
