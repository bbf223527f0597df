package dev.mintmark.app.http;

import dev.mintmark.postgres.pool.PoolGate.Rate;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What one caller may ask for: a key, or without one an address. Files of the console and the
 * health of the server are not limited.
 *
 * @param rate requests in a time; empty: without a limit
 * @param atOnce requests that are in progress at a time, 1 or more; empty: without a limit. A watch
 *     of a pool has begun and is not in progress any more: {@link PoolWatches} limits them
 */
public record RequestLimits(Optional<Rate> rate, OptionalInt atOnce) {
  /** No limit. */
  public static final RequestLimits NONE = new RequestLimits(Optional.empty(), OptionalInt.empty());

  public RequestLimits {
    atOnce.ifPresent(
        requests -> {
          if (requests < 1) {
            throw new IllegalArgumentException(
                "%s requests at once: expected 1 or more".formatted(requests));
          }
        });
  }
}
