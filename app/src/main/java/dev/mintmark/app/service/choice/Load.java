package dev.mintmark.app.service.choice;

import dev.mintmark.Quoted;
import dev.mintmark.Scheme;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many identifiers are minted, and for how long.
 *
 * @param ratePerSecond those of all processes together
 * @param years years of the Gregorian calendar
 */
public record Load(double ratePerSecond, double years) {
  /** The rate that is assumed if none is given. */
  public static final String RATE_DEFAULT = "1000000";

  /** The years that are assumed if none are given. */
  public static final String YEARS_DEFAULT = "1";

  public static final Load DEFAULT = new Load(1_000_000, 1);

  private static final double RATE_MIN = 0.001;
  private static final double RATE_MAX = 1e12;
  private static final double YEARS_MIN = 0.001;
  private static final double YEARS_MAX = 1e6;

  /** The average year of the Gregorian calendar. */
  static final double YEAR_SECONDS = 365.2425 * 24 * 60 * 60;

  private static final Pattern NUMBER =
      Pattern.compile(
          """
          (?<number>
            [+-]? ( [0-9]{1,3} ([,_][0-9]{3})+ | [0-9]{1,40} ) (\\.[0-9]{1,40})? ([eE][+-]?[0-9]{1,3})?
          )
          (?<unit>[kMG]?)
          """,
          Pattern.COMMENTS);

  private static final Map<String, Double> UNITS = Map.of("", 1.0, "k", 1e3, "M", 1e6, "G", 1e9);

  /**
   * Reads rate and years: {@code 1000000}, {@code 1_000_000}, {@code 1,000,000}, {@code 1e6} or
   * {@code 1M}, with k, M or G.
   *
   * @param mark what is before the names of the two in messages: {@code --}, or nothing
   * @throws IllegalArgumentException if one is no number, or out of range
   */
  public static Load parse(String mark, String rate, String years) {
    return new Load(
        parse(mark + "rate", rate, RATE_MIN, RATE_MAX),
        parse(mark + "years", years, YEARS_MIN, YEARS_MAX));
  }

  private static double parse(String name, String text, double min, double max) {
    Matcher matcher = NUMBER.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "%s is %s: expected a number such as 1000, 1_000_000, 1e6 or 1M"
              .formatted(name, Quoted.of(text)));
    }
    double number = Double.parseDouble(matcher.group("number").replaceAll("[_,]", ""));
    double value = number * UNITS.getOrDefault(matcher.group("unit"), 1.0);
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s is %s: expected %s to %s"
              .formatted(name, Quoted.of(text), Figures.of(min), Figures.of(max)));
    }
    return value;
  }

  /** Returns the odds that two identifiers of a scheme are equal, each from its own mint. */
  public double collisionOdds(Scheme scheme) {
    return scheme.collisionOdds(
        ratePerSecond, Duration.ofSeconds(Math.round(years * YEAR_SECONDS)));
  }

  /** Returns the same in words: {@code one chance in 77 million}; none if they always differ. */
  public String collision(Scheme scheme) {
    return scheme.uniqueness() == Scheme.Uniqueness.BY_CHANCE
        ? Figures.odds(collisionOdds(scheme))
        : "none";
  }

  /** Whether a counter of a scheme has a number for each identifier. */
  boolean fits(Scheme scheme) {
    OptionalDouble full = scheme.secondsUntilFull(ratePerSecond);
    return full.isEmpty() || full.getAsDouble() >= years * YEAR_SECONDS;
  }

  /** {@code 1,000 ids a second for 10 years}. */
  public String text() {
    return "%s ids a second for %s"
        .formatted(Figures.of(ratePerSecond), years == 1 ? "a year" : Figures.of(years) + " years");
  }

  /** {@code 25 minutes}, {@code 68 years}. */
  static String span(double seconds) {
    double hours = seconds / (60 * 60);
    if (hours < 2) {
      return Figures.of(seconds / 60) + " minutes";
    }
    double inYears = seconds / YEAR_SECONDS;
    if (inYears < 2) {
      return Figures.of(hours / 24) + " days";
    }
    return (inYears < 1e6 ? Figures.of(inYears) : Figures.named(inYears)) + " years";
  }
}
