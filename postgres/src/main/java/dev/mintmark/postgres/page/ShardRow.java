package dev.mintmark.postgres.page;

/**
 * A row of {@link MergedPages}.
 *
 * @param shard the name of the shard it was read from
 * @param row the value that was read from the row
 */
public record ShardRow<T>(String shard, T row) {}
