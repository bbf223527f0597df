package dev.mintmark.postgres.page;

/**
 * A row of {@link MergedPages}.
 *
 * @param shard the name of the shard it was read from
 * @param row what was made of it
 */
public record ShardRow<T>(String shard, T row) {}
