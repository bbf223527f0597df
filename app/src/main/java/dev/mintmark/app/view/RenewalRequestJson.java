package dev.mintmark.app.view;

import org.jspecify.annotations.Nullable;

/**
 * A renewal as JSON.
 *
 * @param lease how long from now; null for the lease of the pool
 */
public record RenewalRequestJson(@Nullable String lease) {}
