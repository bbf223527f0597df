package dev.mintmark.app.service.choice;

import java.math.BigDecimal;
import java.math.MathContext;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;

/** Numbers and odds for people. */
public final class Figures {
  private static final double SURE = 0.995;
  private static final double IN_100_MIN = 0.1;
  private static final MathContext TWO_DIGITS = new MathContext(2);

  private record Unit(double size, String name) {}

  private static final List<Unit> UNITS =
      List.of(new Unit(1e12, " trillion"), new Unit(1e9, " billion"), new Unit(1e6, " million"));

  /** Greater numbers have no name that most people know. */
  private static final double NAMED_MAX = 1e15;

  private Figures() {}

  /** Formats very small and large values with two digits, others in plain notation. */
  public static String of(double value) {
    boolean isHandy = value >= 0.001 && value < 1e7;
    DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(Locale.ROOT);
    symbols.setExponentSeparator("e");
    String pattern = !isHandy ? "0.0E0" : value < 10 ? "0.####" : "#,##0";
    return new DecimalFormat(pattern, symbols).format(value);
  }

  /**
   * Returns odds in words, with two digits: {@code one chance in 77 million}.
   *
   * @param odds 0 to 1
   */
  public static String odds(double odds) {
    if (odds >= SURE) {
      return "almost certain";
    }
    if (odds >= IN_100_MIN) {
      return Math.round(odds * 100) + " chances in 100";
    }
    double one = odds == 0 ? Double.POSITIVE_INFINITY : 1 / odds;
    if (one >= NAMED_MAX) {
      return "under one in 1,000 trillion";
    }
    return "one chance in " + named(one);
  }

  /** Rounds to two digits, and names what it counts in: {@code 77 million}. */
  static String named(double exact) {
    double value = new BigDecimal(exact).round(TWO_DIGITS).doubleValue();
    DecimalFormat format =
        new DecimalFormat("#,##0.#", DecimalFormatSymbols.getInstance(Locale.ROOT));
    return UNITS.stream()
        .filter(unit -> value >= unit.size())
        .findFirst()
        .map(unit -> format.format(value / unit.size()) + unit.name())
        .orElseGet(() -> format.format(value));
  }
}
