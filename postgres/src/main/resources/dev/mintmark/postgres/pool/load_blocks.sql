-- Reads the blocks of a pool, in the order in which they were added. Parameters: pool_id, with_removed (whether to read
-- removed blocks too: only the history names their values). Locks: none.
select
  block_id,
  declared,
  addresses::text as addresses,
  prefix_length,
  lower(numbers) as first_number,
  upper(numbers) - 1 as last_number,
  run_length,
  gaps,
  exclusions,
  size,
  seed,
  draining,
  removed_at is not null as removed
from mintmark.pool_block
where pool_id = :pool_id and (removed_at is null or :with_removed)
order by block_id
