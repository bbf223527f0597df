package dev.mintmark.postgres.pool;

/** The value is held by another claim than that of the token. Nothing was changed. */
public record Superseded(String pool, String value)
    implements RenewResult, ReleaseResult, NoteResult {}
