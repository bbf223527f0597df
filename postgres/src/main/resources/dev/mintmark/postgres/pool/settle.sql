-- Waits for claims in progress that took a value in quarantine of a block before it was drained, and locks the block,
-- so that withdraw.sql, next in the transaction, does not skip it: that waits for claims that took a free value.
--
-- Parameters: pool_id; declared. Locks: the block, then its rows in quarantine. Returns how many rows those are.
with block as materialized (
  select block_id
  from mintmark.pool_block
  where pool_id = :pool_id and declared = :declared and draining and removed_at is null
  order by block_id
  for update
),
in_quarantine as materialized (
  select place
  from mintmark.pool_quarantine
  where pool_id = :pool_id and block_id in (select block_id from block)
  for update
)
select count(*) as in_quarantine from in_quarantine
