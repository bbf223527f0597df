package dev.mintmark.app.service;

import dev.mintmark.postgres.pool.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to quarantine values of a pool: named values, or all that are not held.
 *
 * @param values the named values; empty for all
 * @param length the length of the quarantine
 */
public record QuarantineRequest(List<String> values, Duration length) {
  /** The most values in one request. */
  static final int VALUES_MAX = 1_000;

  /** The end of the quarantine of each named value, and the named values that are held. */
  public record Outcome(Map<String, Instant> quarantined, List<String> held) {}

  /**
   * Reads a request.
   *
   * @throws IllegalArgumentException if it has both values and {@code all} or neither, too many
   *     values, or a missing or malformed length
   */
  public static QuarantineRequest of(List<String> values, boolean all, Optional<String> length) {
    if (values.isEmpty() != all) {
      throw new IllegalArgumentException("expected either values or all");
    }
    if (values.size() > VALUES_MAX) {
      throw new IllegalArgumentException(
          "%s values: expected at most %s at once".formatted(values.size(), VALUES_MAX));
    }
    return new QuarantineRequest(
        List.copyOf(values),
        DurationKey.parse(
            "for",
            length.orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "for is missing: expected the length of the quarantine"))));
  }

  public boolean isOfAll() {
    return values.isEmpty();
  }

  /** Quarantines the values; those that are held are left unchanged. */
  public Outcome of(Pool pool) {
    if (isOfAll()) {
      pool.quarantineAll(length);
    }
    Map<String, Instant> quarantined = new LinkedHashMap<>();
    List<String> held = new ArrayList<>();
    for (String value : values) {
      Optional<Instant> until = pool.quarantine(value, length);
      until.ifPresentOrElse(end -> quarantined.put(value, end), () -> held.add(value));
    }
    return new Outcome(quarantined, held);
  }
}
