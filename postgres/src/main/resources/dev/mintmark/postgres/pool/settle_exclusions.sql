-- Removes the last clients of excluded values in quarantine, so that they do not get them back, and locks the blocks, so
-- that withdraw.sql, next in the transaction, does not skip them. Both wait for claims in progress, which may not have
-- seen the exclusions; a claim that meets one of the rows later finds it changed or gone.
--
-- Parameters: pool_id. Locks: the blocks with exclusions, then those rows in quarantine. Returns how many rows.
with block as materialized (
  select block_id, excluded_places
  from mintmark.pool_block
  where pool_id = :pool_id and removed_at is null and not isempty(excluded_places)
  order by block_id
  for update
),
forgotten as (
  update mintmark.pool_quarantine
  set last_client = null, last_slot = null
  from block
  cross join lateral unnest(block.excluded_places) as range (places)
  where pool_quarantine.pool_id = :pool_id
    and pool_quarantine.block_id = block.block_id
    and place >= lower(range.places)
    and place < upper(range.places)
    and last_client is not null
  returning 1
)
select count(*) as forgotten from forgotten
