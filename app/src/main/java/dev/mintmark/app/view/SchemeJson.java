package dev.mintmark.app.view;

import dev.mintmark.Scheme;
import dev.mintmark.app.service.choice.Comparison;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** A scheme at a load, as JSON; values that do not apply to it are null. */
public record SchemeJson(
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
    @Nullable Double evenOddsIds,
    String collision,
    @Nullable String until,
    String sorted,
    boolean historic,
    boolean recommended) {
  static SchemeJson of(Comparison.Row row) {
    Scheme scheme = row.scheme();
    return new SchemeJson(
        scheme.label(),
        scheme.timeBits(),
        scheme.tick().map(Duration::toNanos).orElse(null),
        scheme.randomBits(),
        scheme.sorting().label(),
        scheme.bytes(),
        scheme.characters(),
        scheme.lastTime().orElse(null),
        row.lastYear().orElse(null),
        orNull(scheme.secondsUntilFull(row.load().ratePerSecond())),
        scheme.uniqueness().label(),
        row.load().collisionOdds(scheme),
        orNull(scheme.idsForEvenOdds()),
        row.load().collision(scheme),
        row.until().orElse(null),
        row.order(),
        row.isHistoric(),
        row.isRecommended());
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? value.getAsDouble() : null;
  }
}
