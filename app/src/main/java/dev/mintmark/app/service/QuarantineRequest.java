package dev.mintmark.app.service;

import dev.mintmark.DurationText;
import dev.mintmark.postgres.pool.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What of a pool is to rest, and for how long: values that are named, or all that nobody holds.
 *
 * @param values those that are named; none where all are meant
 */
public record QuarantineRequest(List<String> values, Duration length) {
  /** The most values that one request may name. */
  static final int VALUES_MAX = 1_000;

  /** What came of it: until when each of the named values rests, and which of them are held. */
  public record Outcome(Map<String, Instant> resting, List<String> held) {}

  /**
   * Reads what was asked for.
   *
   * @throws IllegalArgumentException if not either values or all are named, or too many, or the
   *     length of time is missing or malformed
   */
  public static QuarantineRequest of(List<String> values, boolean all, Optional<String> length) {
    if (values.isEmpty() != all) {
      throw new IllegalArgumentException("expected either values or all");
    }
    if (values.size() > VALUES_MAX) {
      throw new IllegalArgumentException(
          "%d values: expected at most %d at once".formatted(values.size(), VALUES_MAX));
    }
    return new QuarantineRequest(
        List.copyOf(values),
        DurationText.parse(
            length.orElseThrow(
                () -> new IllegalArgumentException("for is missing: for how long is it to rest"))));
  }

  public boolean isOfAll() {
    return values.isEmpty();
  }

  /** Lets the values rest; those of them that somebody holds are left as they are. */
  public Outcome of(Pool pool) {
    if (isOfAll()) {
      pool.quarantineAll(length);
    }
    Map<String, Instant> resting = new LinkedHashMap<>();
    List<String> held = new ArrayList<>();
    for (String value : values) {
      Optional<Instant> until = pool.quarantine(value, length);
      until.ifPresentOrElse(end -> resting.put(value, end), () -> held.add(value));
    }
    return new Outcome(resting, held);
  }
}
