package dev.mintmark.app;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What came of a storm.
 *
 * @param run ours
 * @param rival the article's own query in the same circumstances, if it was run
 */
record StormReport(
    @JsonUnwrapped Run run, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Run rival) {
  /**
   * One way of handing out addresses, measured.
   *
   * @param clients how many asked
   * @param instances through how many instances
   * @param granted how many were given an address
   * @param rejected how many were turned away
   * @param doubled how often an address was given that somebody had
   * @param statements sent to the database
   * @param wallMs from the first question to the last answer
   * @param claimsPerS grants until the last grant
   * @param rejectionsPerS rejections over the whole run
   * @param p50Ms half of the clients waited at most that long
   * @param p99Ms 99 of 100 clients waited at most that long
   */
  record Run(
      int clients,
      int instances,
      long granted,
      long rejected,
      long doubled,
      long statements,
      long wallMs,
      long claimsPerS,
      long rejectionsPerS,
      double p50Ms,
      double p99Ms) {}

  /** A figure of a run; {@code compared} where a ratio to the rival's means something. */
  private record Figure(String name, boolean compared, Function<Run, Number> of) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("clients", false, Run::clients),
          new Figure("granted", false, Run::granted),
          new Figure("rejected", false, Run::rejected),
          new Figure("doubled", false, Run::doubled),
          new Figure("wall ms", true, Run::wallMs),
          new Figure("claims/s", true, Run::claimsPerS),
          new Figure("rejections/s", true, Run::rejectionsPerS),
          new Figure("p50 ms", true, Run::p50Ms),
          new Figure("p99 ms", true, Run::p99Ms),
          new Figure("statements", true, Run::statements));

  /** One line for each figure, with the rival's and the ratio beside it. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (rival != null) {
      lines.add("%-14s%14s%16s%10s".formatted("", "mintmark", "the article's", "ratio"));
    }
    FIGURES.forEach(figure -> lines.add(line(figure)));
    lines.add(
        run.doubled == 0
            ? "no address was granted twice"
            : plain(run.doubled) + " addresses were granted twice");
    return lines;
  }

  private String line(Figure figure) {
    Number ours = figure.of.apply(run);
    String line = "%-14s%14s".formatted(figure.name, plain(ours));
    if (rival == null) {
      return line;
    }
    Number theirs = figure.of.apply(rival);
    double smaller = Math.min(ours.doubleValue(), theirs.doubleValue());
    double larger = Math.max(ours.doubleValue(), theirs.doubleValue());
    boolean compared = figure.compared && smaller > 0;
    return line
        + "%16s".formatted(plain(theirs))
        + (compared ? String.format(Locale.ROOT, "%9.1fx", larger / smaller) : "");
  }

  private static String plain(Number number) {
    return number instanceof Double
        ? String.format(Locale.ROOT, "%,.2f", number.doubleValue())
        : String.format(Locale.ROOT, "%,d", number.longValue());
  }
}
