-- Returns what slots of clients hold, with the outcomes of claim.sql. Parameters: pool_id; clients and slots (arrays of
-- one length). Locks: none. In which epoch the database is, is not asked.
select
  case when expires_at <= clock_timestamp() then 'ended' else 'held' end as outcome,
  held.client, held.slot, block_id, place, owner, token, claimed_at, expires_at, previous_end,
  false as in_epoch
from unnest(:clients::text[], :slots::integer[]) as asked (client, slot)
cross join lateral (
  select * from mintmark.pool_claim
  where pool_claim.pool_id = :pool_id and pool_claim.client = asked.client and pool_claim.slot = asked.slot
  limit 1
) as held
