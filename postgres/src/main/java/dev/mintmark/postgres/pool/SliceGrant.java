package dev.mintmark.postgres.pool;

import dev.mintmark.postgres.pool.ClaimAttempt.Slot;
import dev.mintmark.postgres.pool.SliceStore.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A value that was granted from a slice, to be recorded.
 *
 * @param expiresAt the end of its lease, before that of the slice; empty: the lease begins when the
 *     grant is recorded, since it outlasts the slice
 */
record SliceGrant(
    Value value,
    Slot slot,
    Optional<String> owner,
    Instant claimedAt,
    Duration lease,
    Optional<Instant> expiresAt) {

  /**
   * The claim.
   *
   * @param end of its lease
   */
  ClaimRow row(Instant end) {
    return new ClaimRow(
        value.place(),
        slot.client(),
        slot.number(),
        owner,
        value.token(),
        claimedAt,
        Optional.of(end),
        value.previousEnd());
  }
}
