-- Counts the values of each block of a pool by state, in one snapshot. Parameters: pool_id. Locks: none.
--
-- capacity: all values but those that are excluded and have no row. free: values that can be claimed. never_issued: those
-- of them without a row. If a block is closed until a time, its values that were never issued count as quarantined until
-- then. In a drained block, values that are neither held nor quarantined are draining; so are excluded values whose row
-- is still free.
select
  block.block_id,
  block.declared,
  block.size - block.withheld as capacity,
  block.draining as drains,
  case when block.draining then 0 else free.count - free.excluded + case when closed.yes then 0 else never.count end end
    as free,
  case when block.draining or closed.yes then 0 else never.count end as never_issued,
  held.count as held,
  in_quarantine.count + case when closed.yes and not block.draining then never.count else 0 end as quarantined,
  case
    when block.draining then block.size - block.withheld - held.count - in_quarantine.count
    else free.excluded
  end as draining
from mintmark.pool_block block
cross join lateral (
  select count(*), count(*) filter (where place <@ block.excluded_places) as excluded
  from mintmark.pool_free
  where pool_id = :pool_id and pool_free.block_id = block.block_id) as free
cross join lateral (
  select count(*) from mintmark.pool_claim where pool_id = :pool_id and pool_claim.block_id = block.block_id) as held
cross join lateral (
  select count(*) from mintmark.pool_quarantine
  where pool_id = :pool_id and pool_quarantine.block_id = block.block_id) as in_quarantine
cross join lateral (select block.size - block.issued - block.withheld as count) as never
cross join lateral (select coalesce(block.not_before > now(), false) as yes) as closed
where block.pool_id = :pool_id and block.removed_at is null
order by block.block_id
