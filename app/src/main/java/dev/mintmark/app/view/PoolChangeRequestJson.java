package dev.mintmark.app.view;

import dev.mintmark.app.service.PoolSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a pool that change, as JSON; those that are left out stay.
 *
 * @param perOwner the most values that one owner may hold; 0 for any number
 * @param lease a length of time, or {@code none}
 * @param history a length of time, or {@code none}
 * @param keepFree of a pool that gets its blocks from another one
 */
public record PoolChangeRequestJson(
    @Nullable String order,
    @Nullable Integer perClient,
    @Nullable Integer perOwner,
    @Nullable Boolean sticky,
    @Nullable String lease,
    @Nullable String quarantine,
    @Nullable String history,
    @Nullable String afterFailover,
    @Nullable Long keepFree,
    @Nullable List<@Nullable Integer> thresholds) {
  public PoolSettings toSettings() {
    return new PoolSettings(
        order,
        perClient,
        perOwner,
        sticky,
        lease,
        quarantine,
        history,
        afterFailover,
        keepFree,
        thresholds == null ? null : JsonArrays.withoutNull("thresholds", thresholds));
  }
}
