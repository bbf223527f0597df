package dev.mintmark.postgres.pool;

import java.time.Instant;

/** What came of releasing a claim. */
public sealed interface ReleaseResult {
  /** The value was given back; it is handed out again from {@code freeAt} on. */
  record Released(Instant freeAt) implements ReleaseResult {}

  /** Nobody holds the value: it was released, its lease ended, or it was never claimed. */
  record NotHeld(String pool, String value) implements ReleaseResult {}

  /** Another claim than the one named by the token holds the value; nothing was changed. */
  record Superseded(String pool, String value) implements ReleaseResult {}
}
