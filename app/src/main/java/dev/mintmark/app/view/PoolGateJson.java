package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.PoolGate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may claim values of a pool, as JSON: {@code {"owners": ["acme"], "share": "5%", "rate":
 * "10/1m"}}.
 *
 * @param owners the named owners
 * @param share of all owners, in percent; null is none
 * @param rate values that an owner may claim in a time; null is any
 */
public record PoolGateJson(List<String> owners, @Nullable String share, @Nullable String rate) {
  public static PoolGateJson of(PoolGate gate) {
    return new PoolGateJson(
        List.copyOf(gate.owners()),
        gate.shareText().orElse(null),
        gate.rate().map(PoolGate.Rate::toString).orElse(null));
  }
}
