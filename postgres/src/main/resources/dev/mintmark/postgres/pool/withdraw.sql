-- Deletes the rows of free values of drained blocks: the values count as never issued again.
--
-- Parameters: pool_id (null: every pool). Locks: the blocks that have such rows, skipping locked ones, and the rows.
with block as materialized (
  select block_id, pool_id
  from mintmark.pool_block
  where draining and removed_at is null
    and (:pool_id::integer is null or pool_id = :pool_id::integer)
    and exists (
      select from mintmark.pool_free
      where pool_free.pool_id = pool_block.pool_id and pool_free.block_id = pool_block.block_id)
  for update skip locked
),
withdrawn as (
  delete from mintmark.pool_free
  using block
  where pool_free.pool_id = block.pool_id and pool_free.block_id = block.block_id
  returning pool_free.block_id, pool_free.held_until
)
update mintmark.pool_block
set
  issued = issued - gone.count,
  version = version + 1,
  held_until = greatest(pool_block.held_until, gone.held_until)
from (select block_id, count(*), max(held_until) as held_until from withdrawn group by block_id) as gone
where pool_block.block_id = gone.block_id
