package dev.mintmark;

import java.math.BigInteger;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * Whether a text is an identifier even if nothing says that it should be one, so that it can be
 * found in a longer text. The one place that decides which {@link Layout}s are found in a text.
 */
final class Distinctive {
  /** Digits of the smallest number: Snowflakes of today have 17 or more, milliseconds have 13. */
  private static final int NUMBER_DIGITS_MIN = 15;

  /** Characters of the rest of a key; shorter ones are names. */
  private static final int KEY_LENGTH_MIN = 12;

  /** A time as digits without separators: {@code 20240131235959123}. */
  private static final Pattern DATE =
      Pattern.compile(
          "(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])"
              + "([01][0-9]|2[0-3])[0-5][0-9][0-5][0-9][0-9]*");

  /** A binary or octal number of 128 bits. */
  private static final Pattern BASED = Pattern.compile("0b[01]{100}|0o[0-7]{36}");

  /** The layouts of decimal numbers that are found, if their time is plausible. */
  private static final Set<Layout> SNOWFLAKES =
      Set.of(
          NumberLayouts.SNOWFLAKE_TWITTER,
          NumberLayouts.SNOWFLAKE_DISCORD,
          NumberLayouts.SNOWFLAKE_INSTAGRAM,
          NumberLayouts.SNOWFLAKE_SONY,
          SortableLayouts.TSID);

  private Distinctive() {}

  /** Whether {@code text} is an identifier; {@code now} tells which times are plausible. */
  static boolean is(String text, Instant now) {
    String rest = text.substring(text.lastIndexOf('_') + 1);
    if ((isPossible(text) || isPossible(rest))
        && Ranking.of(text, now).stream().anyMatch(ranked -> is(text, ranked, now))) {
      return true;
    }
    return rest.length() < text.length()
        && PrefixedKey.tryParse(text).filter(key -> isKey(key, now)).isPresent();
  }

  /** Whether it is a decimal number that is no date, with as many digits as Snowflakes have. */
  static boolean isLongNumber(String text) {
    return text.length() >= NUMBER_DIGITS_MIN
        && areAll(text, Distinctive::isDecimal)
        && !DATE.matcher(text).matches();
  }

  private static boolean isKey(PrefixedKey key, Instant now) {
    String rest = key.rest();
    return (isPossible(rest)
            && Ranking.of(rest, now).stream().anyMatch(ranked -> is(rest, ranked, now)))
        || (rest.length() >= KEY_LENGTH_MIN && isMixed(rest, 1) && key.reading().isPresent());
  }

  /** Whether its length and its characters are those of a kind. Reading it would take longer. */
  private static boolean isPossible(String text) {
    return switch (text.length()) {
      case 13 -> text.charAt(0) == '0' && areAll(text, Distinctive::isCrockford);
      case 15, 16, 17, 18, 19, 35, 37, 38, 39 -> areAll(text, Distinctive::isDecimal);
      case 20, 24, 27 -> areAll(text, Distinctive::isLetterOrDigit);
      case 21, 22 -> isMixed(text, 2);
      case 26 -> text.charAt(0) < '8' && areAll(text, Distinctive::isCrockford);
      case 32 -> areAll(text, HexFormat::isHexDigit);
      case 36 -> areAll(text, c -> c == '-' || HexFormat.isHexDigit(c));
      default -> BASED.matcher(text).lookingAt();
    };
  }

  private static boolean areAll(String text, IntPredicate isOne) {
    return text.chars().allMatch(isOne);
  }

  private static boolean isDecimal(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetterOrDigit(int c) {
    return isDecimal(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  private static boolean isCrockford(int c) {
    return c < 128 && Crockford32.isLooseDigit(c);
  }

  private static boolean is(String text, Ranking.Ranked ranked, Instant now) {
    Layout layout = ranked.layout();
    BigInteger number = ranked.number();
    return switch (ranked.notation()) {
      case HYPHENATED, PLAIN, URN, ULID, TYPEID, BINARY, OCTAL, LONG_NUMBER -> true;
      case MASK -> digits(text) >= 2;
      case KSUID, PREFIXED_KSUID, XID, OBJECT_ID ->
          digits(text) >= 1 && layout.isPlausible(number, now);
      case TSID -> text.startsWith("0") && digits(text) >= 2 && layout.isPlausible(number, now);
      case BASE64URL, NANOID -> isMixed(text, 2);
      case NUMBER ->
          SNOWFLAKES.contains(layout) && layout.isPlausible(number, now) && isLongNumber(text);
      default -> false;
    };
  }

  private static long digits(String text) {
    return text.chars().filter(c -> c >= '0' && c <= '9').count();
  }

  /** Whether it has decimal digits and letters of both cases: names seldom do. */
  private static boolean isMixed(String text, int digitsMin) {
    return digits(text) >= digitsMin
        && text.chars().anyMatch(c -> c >= 'A' && c <= 'Z')
        && text.chars().anyMatch(c -> c >= 'a' && c <= 'z');
  }
}
