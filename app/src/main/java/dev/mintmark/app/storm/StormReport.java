package dev.mintmark.app.storm;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The results of a storm.
 *
 * @param run the result of Mintmark
 * @param rivals the results of the rivals under the same conditions, by name, in run order
 */
record StormReport(@JsonUnwrapped Run run, @JsonIgnore Map<String, Run> rivals) {
  /**
   * The measured result of one allocator.
   *
   * @param clients the number of clients
   * @param instances the number of instances
   * @param granted clients that got an address
   * @param rejected clients that were rejected
   * @param falseRejections rejected clients for which an address was still free at the end
   * @param doubled grants of an address that was already held
   * @param statements statements sent to the database
   * @param retries statements that were repeated after a failure or an empty result; null if
   *     unknown
   * @param deadlocks deadlocks that the database resolved; null if unknown
   * @param wallMs milliseconds from the first request to the last answer
   * @param claimsPerS grants per second until the last grant
   * @param rejectionsPerS rejections per second over the whole run
   * @param p50Ms median waiting time in milliseconds
   * @param p99Ms 99th percentile of the waiting time in milliseconds
   * @param databaseCpuMs processor time of all processes of the database; null if unknown
   */
  record Run(
      int clients,
      int instances,
      long granted,
      long rejected,
      long falseRejections,
      long doubled,
      long statements,
      @Nullable Long retries,
      @Nullable Long deadlocks,
      long wallMs,
      long claimsPerS,
      long rejectionsPerS,
      double p50Ms,
      double p99Ms,
      @Nullable Long databaseCpuMs) {}

  /** A figure of a run; {@code compared} if its ratio to that of the rival is meaningful. */
  private record Figure(
      String name, boolean compared, Function<Run, ? extends @Nullable Number> of) {}

  private static final List<Figure> FIGURES =
      List.of(
          new Figure("clients", false, Run::clients),
          new Figure("granted", false, Run::granted),
          new Figure("rejected", false, Run::rejected),
          new Figure("falsely", false, Run::falseRejections),
          new Figure("doubled", false, Run::doubled),
          new Figure("wall ms", true, Run::wallMs),
          new Figure("claims/s", true, Run::claimsPerS),
          new Figure("rejections/s", true, Run::rejectionsPerS),
          new Figure("p50 ms", true, Run::p50Ms),
          new Figure("p99 ms", true, Run::p99Ms),
          new Figure("statements", true, Run::statements),
          new Figure("retries", false, Run::retries),
          new Figure("deadlocks", false, Run::deadlocks),
          new Figure("db cpu ms", true, Run::databaseCpuMs));

  StormReport {
    rivals = new LinkedHashMap<>(rivals);
  }

  static @Nullable Long known(long count) {
    return count == Storm.Effort.UNKNOWN ? null : count;
  }

  /** The first of the rivals. */
  @JsonProperty
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Nullable Run rival() {
    return rivals.isEmpty() ? null : rivals.values().iterator().next();
  }

  /** All rivals if there are several. */
  @JsonProperty("rivals")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Nullable Map<String, Run> allRivals() {
    return rivals.size() > 1 ? rivals : null;
  }

  /** One line for each figure, with those of the rivals and, for a single rival, the ratio. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (!rivals.isEmpty()) {
      lines.add(
          "%-14s%14s".formatted("", "mintmark")
              + rivals.keySet().stream()
                  .map(name -> "%18s".formatted(shown(name)))
                  .collect(Collectors.joining())
              + (rivals.size() == 1 ? "%10s".formatted("ratio") : ""));
    }
    FIGURES.forEach(figure -> lines.add(line(figure)));
    lines.add(
        run.doubled == 0
            ? "no address was granted twice"
            : plain(run.doubled) + " addresses were granted twice");
    return lines;
  }

  private static String shown(String rival) {
    return rival.equals(Rival.ARTICLE.label()) ? "the article's" : rival;
  }

  private String line(Figure figure) {
    StringBuilder line = new StringBuilder("%-14s".formatted(figure.name));
    Number ours = figure.of.apply(run);
    line.append("%14s".formatted(plain(ours)));
    rivals.values().forEach(rival -> line.append("%18s".formatted(plain(figure.of.apply(rival)))));
    Run rival = rival();
    if (rival != null && rivals.size() == 1 && figure.compared) {
      Number theirs = figure.of.apply(rival);
      if (figure.name.endsWith("/s")) {
        line.append(ratio(ours, theirs));
      } else if (run.clients == rival.clients) {
        line.append(ratio(theirs, ours));
      }
    }
    return line.toString();
  }

  /** How many times better the result of Mintmark is; below 1 if it is worse. */
  private static String ratio(@Nullable Number better, @Nullable Number worse) {
    if (better == null || worse == null || better.doubleValue() <= 0 || worse.doubleValue() <= 0) {
      return "";
    }
    return String.format(Locale.ROOT, "%9.1fx", better.doubleValue() / worse.doubleValue());
  }

  private static String plain(@Nullable Number number) {
    if (number == null) {
      return "-";
    }
    return number instanceof Double
        ? String.format(Locale.ROOT, "%,.2f", number.doubleValue())
        : String.format(Locale.ROOT, "%,d", number.longValue());
  }
}
