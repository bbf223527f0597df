package dev.mintmark.app.service.choice;

import dev.mintmark.Scheme;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * All schemes side by side, for a load, and the one that is recommended.
 *
 * @param recommendation what to take for the answers
 */
public record Comparison(Answers answers, Recommendation recommendation) {
  /** Schemes for data that already has them; each has a better one among the others. */
  private static final Set<Scheme> HISTORIC =
      EnumSet.of(
          Scheme.UUIDV7_DRAFT,
          Scheme.UUIDV6,
          Scheme.UUIDV1,
          Scheme.SNOWFLAKE_DISCORD,
          Scheme.SNOWFLAKE_INSTAGRAM,
          Scheme.SNOWFLAKE_SONY,
          Scheme.KSUID,
          Scheme.OBJECTID,
          Scheme.XID);

  /**
   * A scheme at a load.
   *
   * @param isHistoric whether it is for data that already has it
   */
  public record Row(Scheme scheme, Load load, boolean isHistoric, boolean isRecommended) {
    private static final double LAST_MAX_SECONDS = 1e6 * Load.YEAR_SECONDS;

    /** Returns its order in words: {@code to 1 ms}. */
    public String order() {
      return switch (scheme.sorting()) {
        case NONE -> "none";
        case BY_TICK -> "to " + scheme.tick().map(Row::tick).orElseThrow();
        case ASCENDING -> "ascending";
      };
    }

    /**
     * Returns the last year of its time, or when its numbers end: {@code 2080}, {@code in 36
     * minutes}; empty if it has neither, or in more than a million years.
     */
    public Optional<String> until() {
      OptionalDouble full = scheme.secondsUntilFull(load.ratePerSecond());
      if (full.isEmpty()) {
        return lastYear().map(String::valueOf);
      }
      return full.getAsDouble() < LAST_MAX_SECONDS
          ? Optional.of("in " + Load.span(full.getAsDouble()))
          : Optional.empty();
    }

    /** Returns the last year that it can represent; empty if it has no time. */
    public Optional<Integer> lastYear() {
      return scheme.lastTime().map(Row::year);
    }

    private static int year(Instant time) {
      return time.atOffset(ZoneOffset.UTC).getYear();
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
  }

  /** Compares the schemes, and recommends one for these answers. */
  public static Comparison of(Answers answers) {
    return new Comparison(answers, Decision.of(answers));
  }

  /** Returns all schemes in their order. */
  public List<Row> rows() {
    return Arrays.stream(Scheme.values())
        .map(
            scheme ->
                new Row(
                    scheme,
                    answers.load(),
                    HISTORIC.contains(scheme),
                    recommendation.scheme().filter(scheme::equals).isPresent()))
        .toList();
  }
}
