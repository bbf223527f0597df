-- How the values of each block of a pool stand, in one snapshot. Parameters: pool_id. Locks: none.
--
-- free are those that can be handed out, never_issued those of them that have no row yet. Of a block that may not be
-- drawn from before a time, what was never issued counts as quarantined until then; of one that is drained, all that is
-- neither held nor quarantined is draining.
select
  block.block_id,
  block.declared,
  block.size as capacity,
  block.draining as drains,
  case when block.draining then 0 else free.count + case when closed.yes then 0 else block.size - block.issued end end as free,
  case when block.draining or closed.yes then 0 else block.size - block.issued end as never_issued,
  held.count as held,
  resting.count + case when closed.yes and not block.draining then block.size - block.issued else 0 end as quarantined,
  case when block.draining then block.size - held.count - resting.count else 0 end as draining
from mintmark.pool_block block
cross join lateral (
  select count(*) from mintmark.pool_free where pool_id = :pool_id and pool_free.block_id = block.block_id) as free
cross join lateral (
  select count(*) from mintmark.pool_claim where pool_id = :pool_id and pool_claim.block_id = block.block_id) as held
cross join lateral (
  select count(*) from mintmark.pool_quarantine
  where pool_id = :pool_id and pool_quarantine.block_id = block.block_id) as resting
cross join lateral (select coalesce(block.not_before > now(), false) as yes) as closed
where block.pool_id = :pool_id and block.removed_at is null
order by block.block_id
