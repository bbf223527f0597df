-- Removes drained blocks without values that are held, quarantined or free, all parts of one together, so that their claims
-- in the source may be released. Parameters: pool_id. Locks: the blocks, skipping locked ones, then their supplies, which
-- a block has for itself. Returns how many.
with empty as materialized (
  select block_id, supply_id
  from mintmark.pool_block
  where pool_id = :pool_id and supply_id is not null and draining and issued = 0 and removed_at is null
  for update skip locked
),
whole as materialized (
  select supply_id
  from empty
  group by supply_id
  having count(*) = (
    select count(*) from mintmark.pool_block
    where pool_block.supply_id = empty.supply_id and removed_at is null)
),
removed as (
  update mintmark.pool_block
  set removed_at = now(), version = version + 1
  from empty
  join whole using (supply_id)
  where pool_block.block_id = empty.block_id
),
returned as (
  update mintmark.pool_supply
  set state = 'returned', changed_at = clock_timestamp()
  from whole
  where pool_supply.supply_id = whole.supply_id
  returning 1
)
select count(*) as returned from returned
