-- Drains a block if the pool has more free values than it needs without it: the one of which the fewest values have rows. It
-- is removed when its claims have ended. Counts the rows of the free values.
--
-- Parameters: pool_id. Locks: the block, skipping a locked one; its supply. Returns how many were drained.
with open as materialized (
  select
    supply_id,
    min(block_id) as block_id,
    sum(size - withheld) as size,
    sum(issued) as issued,
    sum(size - issued - withheld + idle.count) as free
  from mintmark.pool_block
  cross join lateral (
    select count(*)
    from mintmark.pool_free
    where pool_free.pool_id = :pool_id and pool_free.block_id = pool_block.block_id) as idle
  where pool_block.pool_id = :pool_id
    and supply_id is not null
    and not draining
    and removed_at is null
    and (not_before is null or not_before <= clock_timestamp())
  group by supply_id
),
spare as materialized (
  select supply_id
  from open
  where (select sum(free) from open) > 2 * open.size
      + 2 * (select keep_free from mintmark.pool_source where pool_id = :pool_id)
  order by issued, block_id desc
  limit 1
),
locked as materialized (
  select block_id, supply_id
  from mintmark.pool_block
  join spare using (supply_id)
  where not draining and removed_at is null
  for update of pool_block skip locked
),
drained as (
  update mintmark.pool_block
  set draining = true, version = version + 1
  where block_id = any (array(select block_id from locked))
)
update mintmark.pool_supply
set surplus = true
where supply_id = any (array(select supply_id from locked))
