package dev.mintmark.postgres.pool;

import java.time.Instant;

/**
 * A quarantined value.
 *
 * @param value the value
 * @param until the end of its quarantine; the next sweep after it frees the value
 */
public record QuarantinedValue(String value, Instant until) {}
