package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.PastClaim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a pool's history as JSON, the latest claim first.
 *
 * @param next the {@code before} of the next page; null for the last page
 */
public record HistoryPageJson(List<HistoryEntryJson> history, @Nullable String next) {
  public static HistoryPageJson of(List<PastClaim> claims, int limit) {
    boolean more = claims.size() == limit;
    return new HistoryPageJson(
        claims.stream().map(HistoryEntryJson::of).toList(),
        more ? Long.toString(claims.get(claims.size() - 1).token()) : null);
  }
}
