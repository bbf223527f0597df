-- Deletes the rows of free values that are not handed out any more: those of drained blocks, and those that are excluded.
-- The values count as never issued again, or as withheld.
--
-- Parameters: pool_id (null: every pool). Locks: the blocks that have such rows, skipping locked ones, and the rows.
with block as materialized (
  select block_id, pool_id, withdrawn.places, excluded_places
  from mintmark.pool_block
  cross join lateral (
    select case when draining then '{(,)}'::int8multirange else excluded_places end as places) as withdrawn
  where removed_at is null
    and (:pool_id::integer is null or pool_id = :pool_id::integer)
    and exists (
      select from unnest(withdrawn.places) as range (places)
      cross join lateral (
        select from mintmark.pool_free
        where pool_free.pool_id = pool_block.pool_id
          and pool_free.block_id = pool_block.block_id
          and place >= coalesce(lower(range.places), 0)
          and place < coalesce(upper(range.places), size)
        limit 1) as found)
  for update of pool_block skip locked
),
withdrawn as (
  delete from mintmark.pool_free
  using block
  cross join lateral unnest(block.places) as range (places)
  where pool_free.pool_id = block.pool_id
    and pool_free.block_id = block.block_id
    and place >= coalesce(lower(range.places), 0)
    and (upper_inf(range.places) or place < upper(range.places))
  returning pool_free.block_id, pool_free.held_until, place <@ block.excluded_places as excluded
)
update mintmark.pool_block
set
  issued = issued - gone.count,
  withheld = withheld + gone.excluded,
  version = version + 1,
  held_until = greatest(pool_block.held_until, gone.held_until)
from (
  select block_id, count(*), count(*) filter (where excluded) as excluded, max(held_until) as held_until
  from withdrawn
  group by block_id) as gone
where pool_block.block_id = gone.block_id
