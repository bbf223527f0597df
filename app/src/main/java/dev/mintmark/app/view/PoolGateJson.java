package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.PoolGate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may claim values of a pool, as JSON: {@code {"owners": ["acme"], "share": "5%", "rate":
 * "10/1m"}}.
 *
 * @param owners the named owners; null is none
 * @param share of all owners, in percent; null is none
 * @param rate values that an owner may claim in a time; null is any
 */
public record PoolGateJson(
    @Nullable List<String> owners, @Nullable String share, @Nullable String rate) {
  public static PoolGateJson of(PoolGate gate) {
    return new PoolGateJson(
        List.copyOf(gate.owners()),
        gate.shareText().orElse(null),
        gate.rate().map(PoolGate.Rate::toString).orElse(null));
  }

  /**
   * Returns the gate.
   *
   * @throws IllegalArgumentException if a part is malformed
   */
  public PoolGate toGate() {
    return new PoolGate(
        owners == null ? Set.of() : Set.copyOf(owners),
        Optional.ofNullable(share).map(PoolGate::parseShare),
        Optional.ofNullable(rate).map(PoolGate.Rate::parse));
  }
}
