package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.PoolGate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for another {@link PoolGateJson gate}: an absent part lets everybody in.
 *
 * @param owners the named owners
 * @param share of all owners, in percent
 * @param rate values that an owner may claim in a time
 */
public record PoolGateRequestJson(
    @Nullable List<@Nullable String> owners, @Nullable String share, @Nullable String rate) {
  /**
   * Returns the gate.
   *
   * @throws IllegalArgumentException if a part is malformed
   */
  public PoolGate toGate() {
    return new PoolGate(
        owners == null ? Set.of() : Set.copyOf(JsonArrays.withoutNull("owners", owners)),
        Optional.ofNullable(share).map(PoolGate::parseShare),
        Optional.ofNullable(rate).map(PoolGate.Rate::parse));
  }
}
