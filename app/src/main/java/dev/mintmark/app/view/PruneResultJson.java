package dev.mintmark.app.view;

/**
 * The result of pruning a history, as JSON.
 *
 * @param pruned how many ended claims were deleted
 */
public record PruneResultJson(long pruned) {}
