-- Quarantines every value in quarantine until its block is open again, and removes its last client.
--
-- Parameters: pool_id. Locks: the rows in quarantine, and the claims whose lease has ended; waits for sweeps in
-- progress. The statements after this one see what those have moved. Returns how many values have a later end now.
with ended as materialized (
  select token
  from mintmark.pool_claim
  where pool_id = :pool_id and expires_at <= now()
  for update
),
prolonged as (
  update mintmark.pool_quarantine
  set until = greatest(until, not_before), last_client = null, last_slot = null
  from mintmark.pool_block
  where pool_quarantine.pool_id = :pool_id
    and pool_block.block_id = pool_quarantine.block_id
    and (until < not_before or last_client is not null)
  returning 1
)
select (select count(*) from prolonged) as moved
from (select count(*) from ended) as waited
