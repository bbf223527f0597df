package dev.mintmark.app.view;

import java.time.Instant;

/**
 * The database of a watched pool does not answer, as JSON.
 *
 * @param since when it was first seen
 */
public record PoolOutageJson(Instant since) {}
