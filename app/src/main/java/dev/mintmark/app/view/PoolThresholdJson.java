package dev.mintmark.app.view;

import dev.mintmark.app.service.PoolEvent;
import java.time.Instant;

/**
 * The share of held values of a pool passed a threshold, as JSON.
 *
 * @param threshold in percent of the capacity
 * @param heldPercent the share that is held now, rounded down to a tenth
 * @param direction above or below
 */
public record PoolThresholdJson(int threshold, double heldPercent, String direction, Instant at) {
  static PoolThresholdJson of(PoolEvent.Threshold event) {
    return new PoolThresholdJson(
        event.percent(),
        event.share().percent().doubleValue(),
        event.isAbove() ? "above" : "below",
        event.at());
  }
}
