package dev.mintmark.postgres.pool;

/** The value is not held: it was released, its lease ended, or it was never claimed. */
public record NotHeld(String pool, String value)
    implements RenewResult, ReleaseResult, NoteResult {}
