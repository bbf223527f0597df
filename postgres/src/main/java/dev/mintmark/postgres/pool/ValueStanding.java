package dev.mintmark.postgres.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * What is in the way of a claim of a value.
 *
 * @param exists whether the pool has the value; nothing else is known of one that it does not have
 * @param holder the client that holds it
 * @param quarantinedUntil when its quarantine ends
 * @param lastClient who held it before the quarantine, and may have it back early
 * @param closed whether its block is drained, or is closed as a whole for a time
 * @param excluded whether it is excluded
 */
public record ValueStanding(
    boolean exists,
    Optional<String> holder,
    Optional<Instant> quarantinedUntil,
    Optional<String> lastClient,
    boolean closed,
    boolean excluded) {
  static final ValueStanding NONE =
      new ValueStanding(false, Optional.empty(), Optional.empty(), Optional.empty(), false, false);
}
