package dev.mintmark.app.view;

import dev.mintmark.app.service.PoolEvent;
import java.time.Instant;

/**
 * The share of used values of a pool passed a threshold, as JSON.
 *
 * @param threshold in percent
 * @param usedPercent the share that is used now, rounded down to a tenth
 * @param direction above or below
 */
public record PoolThresholdJson(int threshold, double usedPercent, String direction, Instant at) {
  static PoolThresholdJson of(PoolEvent.Threshold event) {
    return new PoolThresholdJson(
        event.percent(),
        event.usedPercent().doubleValue(),
        event.isAbove() ? "above" : "below",
        event.at());
  }
}
