package dev.mintmark.client;

/**
 * The value is not held: it was released, its lease ended, or it was never claimed. A release whose
 * first answer was lost has this result too.
 */
public record NotHeld(String pool, String value)
    implements RenewResult, ReleaseResult, NoteResult {}
