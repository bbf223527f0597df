-- Removes the last clients of excluded values in quarantine, so that they do not get them back, and locks the blocks, so
-- that withdraw.sql, next in the transaction, does not skip them. Waits for claims in progress, which may not have
-- seen the exclusions, and for releases, which the transaction of a caller may follow by a claim of the same value. A
-- claim that meets one of the rows later finds it changed or gone.
--
-- Parameters: pool_id. Locks: the blocks with exclusions, then the excluded rows in quarantine and the excluded claims,
-- these against their end only. Returns how many values in quarantine had a last client.
with block as materialized (
  select block_id, excluded_places
  from mintmark.pool_block
  where pool_id = :pool_id and removed_at is null and not isempty(excluded_places)
  order by block_id
  for update
),
excluded as materialized (
  select block_id, lower(range.places) as first_place, upper(range.places) as end_place
  from block
  cross join lateral unnest(block.excluded_places) as range (places)
),
held as materialized (
  select claim.place
  from excluded
  join mintmark.pool_claim claim
    on claim.pool_id = :pool_id
    and claim.block_id = excluded.block_id
    and claim.place >= first_place
    and claim.place < end_place
  for key share of claim
),
in_quarantine as materialized (
  select in_quarantine.block_id, in_quarantine.place, in_quarantine.last_client
  from excluded
  join mintmark.pool_quarantine in_quarantine
    on in_quarantine.pool_id = :pool_id
    and in_quarantine.block_id = excluded.block_id
    and in_quarantine.place >= first_place
    and in_quarantine.place < end_place
  for update of in_quarantine
),
forgotten as (
  update mintmark.pool_quarantine
  set last_client = null, last_slot = null
  from in_quarantine
  where pool_quarantine.pool_id = :pool_id
    and pool_quarantine.block_id = in_quarantine.block_id
    and pool_quarantine.place = in_quarantine.place
    and pool_quarantine.last_client is not null
  returning 1
)
select (select count(*) from forgotten) as forgotten
from (select count(*) from held) as waited
