package dev.mintmark.app.transfer;

import dev.mintmark.DurationText;
import dev.mintmark.PoolSpec;
import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.ClaimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A line of a file: a value that is in use.
 *
 * @param expiresAt when the use ends, if it does at a known time
 * @param lease how long it may last from now; empty: as {@code expiresAt} says, or as the pool does
 * @param isInUse whether the line says that the value is in use; otherwise it is skipped
 */
record ImportedClaim(
    String value,
    String client,
    Optional<String> owner,
    Optional<Instant> expiresAt,
    Optional<Duration> lease,
    ClaimNote note,
    boolean isInUse) {
  /** Whether nothing is to be claimed for it at a time. */
  boolean isOver(Instant now) {
    return !isInUse
        || expiresAt
            .filter(end -> Duration.between(now, end).compareTo(PoolSpec.LEASE_MIN) < 0)
            .isPresent();
  }

  /**
   * The claim of the value.
   *
   * @throws IllegalArgumentException if a part is malformed
   */
  ClaimRequest request(Instant now) {
    Optional<Duration> length = lease.or(() -> expiresAt.map(end -> Duration.between(now, end)));
    length
        .filter(time -> time.compareTo(PoolSpec.DURATION_MAX) > 0)
        .ifPresent(
            time -> {
              throw new IllegalArgumentException(
                  "it would be held longer than " + DurationText.format(PoolSpec.DURATION_MAX));
            });
    return ClaimRequest.of(client)
        .withOwner(owner)
        .withValue(value)
        .withLease(length.map(time -> Duration.ofMillis(time.toMillis())))
        .withNote(note);
  }
}
