package dev.mintmark.client;

/** Another claim holds the value. */
public record Superseded(String pool, String value)
    implements RenewResult, ReleaseResult, NoteResult {}
