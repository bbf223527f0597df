-- Lets every value that rests do so until its block is open again, and leaves none to its last client.
--
-- Parameters: pool_id. Locks: the resting rows, and the claims whose lease has ended, waiting for sweepers under way: what
-- they moved is seen by the statements after this one. Answers how many values rest longer now.
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
