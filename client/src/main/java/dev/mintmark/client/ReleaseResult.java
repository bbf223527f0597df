package dev.mintmark.client;

/** The result of a release: the value was released, or why not. */
public sealed interface ReleaseResult permits ReleaseResult.Released, NotHeld, Superseded {
  /** The value was released. It is quarantined, then other clients can claim it. */
  record Released(String pool, String value) implements ReleaseResult {}
}
