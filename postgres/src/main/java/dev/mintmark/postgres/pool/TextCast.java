package dev.mintmark.postgres.pool;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expressions of SQL that convert a text to a type. A text that the type would write in another
 * way, or cannot hold, becomes null: reads do not fail, no text is cut, and no two texts become one
 * value.
 */
final class TextCast {
  /** The types, for messages. */
  static final String TYPES = "text, varchar, char, smallint, integer, bigint, numeric or uuid";

  private static final Pattern CHARACTERS = Pattern.compile("character( varying)?\\([0-9]+\\)");
  private static final Pattern NUMERIC =
      Pattern.compile("numeric(\\((?<precision>[0-9]+),(?<scale>-?[0-9]+)\\))?");

  /** Conditions of texts, which are written as %s. */
  private static final String IS_INTEGER = "%s ~ '^-?[0-9]+$'";

  private static final String IS_NUMERIC = "%s ~ '^-?[0-9]+([.][0-9]+)?$'";
  private static final String IS_UUID = "%s ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'";

  private TextCast() {}

  /**
   * Returns the expression, or empty if the type is none of {@link #TYPES}.
   *
   * @param text the expression of the text
   * @param type as {@code format_type} writes it
   */
  static Optional<String> of(String text, String type) {
    return type.equals("text") || type.equals("character varying")
        ? Optional.of("%s::%s".formatted(text, type))
        : conditions(type).map(conditions -> guarded(text, type, conditions));
  }

  /** What must be so, in this order, lest the conversion fails; empty: the type is none of ours. */
  private static Optional<List<String>> conditions(String type) {
    Matcher numeric = NUMERIC.matcher(type);
    if (numeric.matches()) {
      return Optional.of(
          numeric.group("precision") == null
              ? List.of(IS_NUMERIC)
              : List.of(IS_NUMERIC, isWithin(max(numeric))));
    }
    if (CHARACTERS.matcher(type).matches()) {
      return Optional.of(List.of());
    }
    return switch (type) {
      case "smallint" -> Optional.of(List.of(IS_INTEGER, isBetween("-32768", "32767")));
      case "integer" -> Optional.of(List.of(IS_INTEGER, isBetween("-2147483648", "2147483647")));
      case "bigint" ->
          Optional.of(
              List.of(IS_INTEGER, isBetween("-9223372036854775808", "9223372036854775807")));
      case "uuid" -> Optional.of(List.of(IS_UUID));
      default -> Optional.empty();
    };
  }

  private static BigDecimal max(Matcher numeric) {
    BigInteger digits =
        BigInteger.TEN.pow(Integer.parseInt(numeric.group("precision"))).subtract(BigInteger.ONE);
    return new BigDecimal(digits).scaleByPowerOfTen(-Integer.parseInt(numeric.group("scale")));
  }

  private static String isWithin(BigDecimal max) {
    return isBetween(max.negate().toPlainString(), max.toPlainString());
  }

  private static String isBetween(String min, String max) {
    return "%s::numeric between " + min + " and " + max;
  }

  /** The conditions are nested: PostgreSQL may evaluate those that are joined in any order. */
  private static String guarded(String text, String type, List<String> conditions) {
    String guarded = "case when %1$s::%2$s::text = %1$s then %1$s end".formatted(text, type);
    for (int i = conditions.size() - 1; i >= 0; i--) {
      guarded = "case when %s then %s end".formatted(conditions.get(i).formatted(text), guarded);
    }
    return "(%s)::%s".formatted(guarded, type);
  }
}
