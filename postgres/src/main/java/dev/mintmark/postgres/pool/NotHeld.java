package dev.mintmark.postgres.pool;

/** Nobody holds the value: it was released, its lease ended, or it was never claimed. */
public record NotHeld(String pool, String value) implements RenewResult, ReleaseResult {}
