package dev.mintmark.postgres.pool;

/** Another claim than the one named by the token holds the value; nothing was changed. */
public record Superseded(String pool, String value) implements RenewResult, ReleaseResult {}
