package dev.mintmark.app.view;

import java.time.Instant;

/**
 * A watched pool was deleted, as JSON.
 *
 * @param at when it was seen
 */
public record PoolDeletionJson(Instant at) {}
