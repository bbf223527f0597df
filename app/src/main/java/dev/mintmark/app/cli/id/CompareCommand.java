package dev.mintmark.app.cli.id;

import dev.mintmark.Scheme;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark compare}: compares the kinds of identifiers. */
@Command(
    name = "compare",
    description =
        "Compare the kinds of identifiers: bits of time, random bits, order, size, last year, and"
            + " the probability of a collision.",
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
  private static final double RATE_MIN = 0.001;
  private static final double RATE_MAX = 1e12;
  private static final double YEARS_MIN = 0.001;
  private static final double YEARS_MAX = 1e6;

  /** The average year of the Gregorian calendar. */
  private static final double YEAR_SECONDS = 365.2425 * 24 * 60 * 60;

  private static final String HEADING =
      """
                             bits  random             stored   text             collision  even odds
      kind                of time    bits  order       bytes  chars  until           odds  at
      """;

  @Spec CommandSpec spec;

  @Option(
      names = "--rate",
      paramLabel = "PER_SECOND",
      defaultValue = "1000000",
      description = "Ids minted per second, by all processes together. Default: ${DEFAULT-VALUE}")
  double rate;

  @Option(
      names = "--years",
      paramLabel = "YEARS",
      defaultValue = "1",
      description = "The number of years of minting. Default: ${DEFAULT-VALUE}")
  double years;

  @Option(names = "--json", description = "Print the comparison as JSON.")
  boolean json;

  /** The comparison as it is printed in JSON. */
  record Comparison(double ratePerSecond, double years, List<Row> schemes) {}

  /** A scheme; values that do not apply to it are null. */
  record Row(
      String name,
      int timeBits,
      @Nullable Long tickNanos,
      int randomBits,
      String order,
      int bytes,
      int characters,
      @Nullable Instant lastTime,
      @Nullable Integer lastYear,
      @Nullable Double fullAfterSeconds,
      String unique,
      double collisionOdds,
      @Nullable Double evenOddsIds) {}

  @Override
  public Integer call() {
    check("--rate", rate, RATE_MIN, RATE_MAX);
    check("--years", years, YEARS_MIN, YEARS_MAX);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      List<Row> rows = Arrays.stream(Scheme.values()).map(this::row).toList();
      Json.print(out, new Comparison(rate, years, rows));
    } else {
      print(out);
    }
    out.flush();
    return ExitStatus.DONE;
  }

  private static void check(String option, double value, double min, double max) {
    boolean isWithin = value >= min && value <= max; // false for NaN
    if (!isWithin) {
      throw new IllegalArgumentException(
          "%s is %s: expected %s to %s".formatted(option, value, figure(min), figure(max)));
    }
  }

  private Row row(Scheme scheme) {
    return new Row(
        scheme.label(),
        scheme.timeBits(),
        scheme.tick().map(Duration::toNanos).orElse(null),
        scheme.randomBits(),
        scheme.sorting().label(),
        scheme.bytes(),
        scheme.characters(),
        scheme.lastTime().orElse(null),
        scheme.lastTime().map(CompareCommand::year).orElse(null),
        orNull(scheme.secondsUntilFull(rate)),
        scheme.uniqueness().label(),
        collisionOdds(scheme),
        orNull(scheme.idsForEvenOdds()));
  }

  private void print(PrintWriter out) {
    Ansi ansi = spec.commandLine().getColorScheme().ansi();
    HEADING.lines().forEach(line -> out.println(ansi.string("@|bold " + line + "|@")));
    for (Scheme scheme : Scheme.values()) {
      out.println(line(scheme).stripTrailing());
    }
    String span = years == 1 ? "a year" : figure(years) + " years";
    out.printf(
        """

        random bits     drawn anew for each id: the effort to guess an id from another one
        stored, text    size without the overhead of the column, length without a prefix
        collision odds  probability that two of %s ids a second for %s are equal, each
                        from a mint of its own (one mint of an ascending kind never repeats an id);
                        none if node numbers or a single counter make ids unique
        even odds at    the number of ids in one clock tick, or in total if there is no clock
        """,
        figure(rate), span);
  }

  private String line(Scheme scheme) {
    return "%-19s %7s %7s  %-9s %7s %6s  %-11s %8s  %s"
        .formatted(
            scheme.label(),
            bits(scheme.timeBits()),
            bits(scheme.randomBits()),
            order(scheme),
            scheme.bytes(),
            scheme.characters(),
            until(scheme),
            collision(scheme),
            evenOdds(scheme));
  }

  private double collisionOdds(Scheme scheme) {
    return scheme.collisionOdds(rate, Duration.ofSeconds(Math.round(years * YEAR_SECONDS)));
  }

  private static String bits(int bits) {
    return bits == 0 ? "-" : String.valueOf(bits);
  }

  private static String order(Scheme scheme) {
    return switch (scheme.sorting()) {
      case NONE -> "none";
      case BY_TICK -> "to " + scheme.tick().map(CompareCommand::tick).orElseThrow();
      case ASCENDING -> "ascending";
    };
  }

  private String until(Scheme scheme) {
    OptionalDouble full = scheme.secondsUntilFull(rate);
    if (full.isPresent()) {
      return "in " + span(full.getAsDouble());
    }
    return scheme.lastTime().map(last -> String.valueOf(year(last))).orElse("-");
  }

  private String collision(Scheme scheme) {
    return scheme.uniqueness() == Scheme.Uniqueness.BY_CHANCE
        ? figure(collisionOdds(scheme))
        : "none";
  }

  private static String evenOdds(Scheme scheme) {
    OptionalDouble ids = scheme.idsForEvenOdds();
    if (ids.isEmpty()) {
      return "";
    }
    return figure(ids.getAsDouble()) + scheme.tick().map(tick -> " in " + tick(tick)).orElse("");
  }

  private static String tick(Duration tick) {
    long nanos = tick.toNanos();
    if (nanos % 1_000_000_000 == 0) {
      return nanos / 1_000_000_000 + " s";
    }
    if (nanos % 1_000_000 == 0) {
      return nanos / 1_000_000 + " ms";
    }
    return nanos % 1_000 == 0 ? nanos / 1_000 + " µs" : nanos + " ns";
  }

  private static String span(double seconds) {
    double hours = seconds / (60 * 60);
    if (hours < 2) {
      return figure(seconds / 60) + " min";
    }
    double years = seconds / YEAR_SECONDS;
    return years < 2 ? figure(hours / 24) + " d" : figure(years) + " y";
  }

  private static int year(Instant time) {
    return time.atOffset(ZoneOffset.UTC).getYear();
  }

  /** Formats very small and large values with two digits, others in plain notation. */
  private static String figure(double value) {
    boolean isHandy = value >= 0.001 && value < 1e7;
    DecimalFormatSymbols symbols = DecimalFormatSymbols.getInstance(Locale.ROOT);
    symbols.setExponentSeparator("e");
    String pattern = !isHandy ? "0.0E0" : value < 10 ? "0.####" : "#,##0";
    return new DecimalFormat(pattern, symbols).format(value);
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
