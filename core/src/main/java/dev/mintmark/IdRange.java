package dev.mintmark;

/**
 * The identifiers that a time, or a range of times, can have: from the first to the last, both
 * among them. Immutable.
 *
 * @param first the least
 * @param last the greatest
 * @param <T> the kind of identifier
 */
public record IdRange<T>(T first, T last) {}
