package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.ManyClaims;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A claim that was released, as JSON.
 *
 * @param token a number in a string, since it can pass 2^53-1
 * @param freeAt when the value becomes free
 */
public record ReleasedClaimJson(
    String value, String client, int slot, @Nullable String owner, String token, Instant freeAt) {
  static ReleasedClaimJson of(ManyClaims.Ended ended) {
    return new ReleasedClaimJson(
        ended.claim().value(),
        ended.claim().client(),
        ended.claim().slot(),
        ended.claim().owner().orElse(null),
        Long.toString(ended.claim().token()),
        ended.freeAt());
  }
}
