package dev.mintmark.postgres.pool;

import java.time.Instant;

/** The result of a release: the value was released, or why not. */
public sealed interface ReleaseResult permits ReleaseResult.Released, NotHeld, Superseded {
  /** The value was released. Other clients can claim it from {@code freeAt} on. */
  record Released(Instant freeAt) implements ReleaseResult {}
}
