package dev.mintmark.postgres.pool;

import java.time.Instant;

/** What came of releasing a claim: the value was given back, or why not. */
public sealed interface ReleaseResult permits ReleaseResult.Released, NotHeld, Superseded {
  /** The value was given back; others can be given it from {@code freeAt} on. */
  record Released(Instant freeAt) implements ReleaseResult {}
}
