package dev.mintmark;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * The shortest decimal that reads back as the same {@code double}, and among those the nearest, in
 * the format of Python's {@code repr}: {@code 5.0}, {@code 1.9932046411374316e+36}.
 *
 * <p>{@link Double#toString(double)} promises this from JDK 19 on; before, it writes 2^60 as {@code
 * 1.15292150460684698E18}, two digits too many.
 */
final class ShortestDecimal {
  /** From this number on, the exponent is written. */
  private static final double PLAIN_END = 1e16;

  /** 17 significant digits distinguish any two doubles. */
  private static final int DIGITS_MAX = 17;

  private ShortestDecimal() {}

  /** Writes a whole number that is not negative. */
  static String ofWhole(double whole) {
    BigDecimal digits = shortest(new BigDecimal(whole)).stripTrailingZeros();
    if (whole < PLAIN_END) {
      return digits.toBigIntegerExact() + ".0";
    }
    String unscaled = digits.unscaledValue().toString();
    String fraction = unscaled.length() == 1 ? "" : "." + unscaled.substring(1);
    int exponent = digits.precision() - digits.scale() - 1;
    return String.format(Locale.ROOT, "%c%se+%02d", unscaled.charAt(0), fraction, exponent);
  }

  private static BigDecimal shortest(BigDecimal exact) {
    for (int digits = 1; digits < DIGITS_MAX; digits++) {
      BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (readsBackAs(exact, nearest)) {
        return nearest;
      }
      // Above a power of two, the distance between doubles is twice that below it. So the next
      // greater decimal may read back although the nearest one does not: 2^89 and 2^122.
      BigDecimal above = exact.round(new MathContext(digits, RoundingMode.CEILING));
      if (readsBackAs(exact, above)) {
        return above;
      }
    }
    return exact.round(new MathContext(DIGITS_MAX, RoundingMode.HALF_EVEN));
  }

  private static boolean readsBackAs(BigDecimal exact, BigDecimal decimal) {
    return new BigDecimal(Double.parseDouble(decimal.toString())).compareTo(exact) == 0;
  }
}
