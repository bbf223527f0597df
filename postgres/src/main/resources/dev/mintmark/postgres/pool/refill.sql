-- Draws values from a block: they become free, except for those that were claimed by name before. None of them may be
-- excluded, by the block as read (load_issue.sql).
--
-- Optimistic lock: pass the block's version as read. A statement that gives a value its first row, removes its last
-- row, or changes what is excluded raises the version. So if the version is unchanged, what this snapshot shows of the
-- rows still holds.
--
-- Parameters: pool_id; block_id; version (as read); drawn (how many values are drawn after this); places (the values
-- drawn).
-- Locks: the block. Returns how many values became free, or no row if the version has changed.
with fresh as materialized (
  select place
  from unnest(:places::bigint[]) as drawn (place)
  where (
      select true from mintmark.pool_free
      where pool_id = :pool_id and block_id = :block_id and pool_free.place = drawn.place
      limit 1) is null
    and (
      select true from mintmark.pool_claim
      where pool_id = :pool_id and block_id = :block_id and pool_claim.place = drawn.place
      limit 1) is null
    and (
      select true from mintmark.pool_quarantine
      where pool_id = :pool_id and block_id = :block_id and pool_quarantine.place = drawn.place
      limit 1) is null
),
block as (
  update mintmark.pool_block
  set drawn = :drawn, issued = issued + (select count(*) from fresh), version = version + 1
  where block_id = :block_id and version = :version and not draining and removed_at is null
  returning pool_id, block_id, held_until
),
freed as (
  insert into mintmark.pool_free (pool_id, block_id, place, held_until)
  select block.pool_id, block.block_id, fresh.place, block.held_until
  from block
  cross join fresh
  returning place
)
select (select count(*) from freed) as freed
from block
