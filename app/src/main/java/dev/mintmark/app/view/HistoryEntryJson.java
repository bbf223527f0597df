package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.PastClaim;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A claim of a pool's history, as JSON.
 *
 * @param endedAt null while the value is held
 * @param ending {@code released} or {@code expired}; null while the value is held
 * @param note what people have written about it; null if nothing is
 */
public record HistoryEntryJson(
    String pool,
    String value,
    String client,
    int slot,
    @Nullable String owner,
    String token,
    Instant claimedAt,
    @Nullable Instant endedAt,
    @Nullable String ending,
    @Nullable ClaimNoteJson note) {
  static HistoryEntryJson of(PastClaim claim, ClaimNote note) {
    return new HistoryEntryJson(
        claim.pool(),
        claim.value(),
        claim.client(),
        claim.slot(),
        claim.owner().orElse(null),
        Long.toString(claim.token()),
        claim.claimedAt(),
        claim.endedAt().orElse(null),
        claim.ending().map(ending -> ending.name().toLowerCase(Locale.ROOT)).orElse(null),
        ClaimNoteJson.unlessEmpty(note));
  }
}
