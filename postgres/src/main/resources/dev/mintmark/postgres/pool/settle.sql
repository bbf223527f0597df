-- Waits for the claims under way that took a resting value of a block before it was drained, and holds the block, so that
-- withdraw.sql, which comes next in the transaction, does not pass it over: it waits for those that took a free one.
--
-- Parameters: pool_id; declared. Locks: the block, then its resting rows. Answers how many those are.
with block as materialized (
  select block_id
  from mintmark.pool_block
  where pool_id = :pool_id and declared = :declared and draining and removed_at is null
  order by block_id
  for update
),
resting as materialized (
  select place
  from mintmark.pool_quarantine
  where pool_id = :pool_id and block_id in (select block_id from block)
  for update
)
select count(*) as resting from resting
