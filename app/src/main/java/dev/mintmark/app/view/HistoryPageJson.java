package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.PastClaim;
import dev.mintmark.postgres.pool.Pool;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A page of a pool's history as JSON, the latest claim first.
 *
 * @param next the {@code before} of the next page; null for the last page
 */
public record HistoryPageJson(List<HistoryEntryJson> history, @Nullable String next) {
  /**
   * Reads a page.
   *
   * @throws IllegalArgumentException as {@link Pool#history}
   */
  public static HistoryPageJson of(
      Pool pool, PastClaim.Filter filter, OptionalLong before, int limit) {
    List<PastClaim> claims = pool.history(filter, before, limit);
    Map<Long, ClaimNote> notes = pool.notes().of(claims.stream().map(PastClaim::token).toList());
    boolean more = claims.size() == limit;
    return new HistoryPageJson(
        claims.stream()
            .map(one -> HistoryEntryJson.of(one, notes.getOrDefault(one.token(), ClaimNote.NONE)))
            .toList(),
        more ? Long.toString(claims.get(claims.size() - 1).token()) : null);
  }
}
