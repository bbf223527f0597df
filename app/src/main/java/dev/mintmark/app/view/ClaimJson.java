package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimNote;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A claim as JSON: a value that a client holds.
 *
 * @param token a number in a string, since it can pass 2^53-1
 * @param expiresAt null without a lease
 * @param previousEnd the latest time to which the previous claim of the value could be held; null
 *     if that is not known
 * @param ipv6 the address that embeds the value or the client; null if the pool has no prefix
 * @param note what people have written about it; null if nothing is written, or if it was not read:
 *     the answer to a claim or a renewal has only what its request wrote
 */
public record ClaimJson(
    String pool,
    String value,
    String client,
    int slot,
    @Nullable String owner,
    String token,
    Instant claimedAt,
    @Nullable Instant expiresAt,
    @Nullable Instant previousEnd,
    @Nullable String ipv6,
    @Nullable ClaimNoteJson note) {

  /** A claim whose note was not read. */
  public static ClaimJson of(Claim claim) {
    return of(claim, ClaimNote.NONE);
  }

  /** A claim with its note. */
  public static ClaimJson of(Claim claim, ClaimNote note) {
    return new ClaimJson(
        claim.pool(),
        claim.value(),
        claim.client(),
        claim.slot(),
        claim.owner().orElse(null),
        Long.toString(claim.token()),
        claim.claimedAt(),
        claim.expiresAt().orElse(null),
        claim.previousEnd().orElse(null),
        claim.ipv6().orElse(null),
        ClaimNoteJson.unlessEmpty(note));
  }
}
