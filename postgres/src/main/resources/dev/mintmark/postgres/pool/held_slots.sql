-- Which of some slots of clients hold a value. Parameters: pool_id; clients and slots (arrays of one length). Locks: none.
select asked.client, asked.slot
from unnest(:clients::text[], :slots::integer[]) as asked (client, slot)
where (
  select true from mintmark.pool_claim held
  where held.pool_id = :pool_id and held.client = asked.client and held.slot = asked.slot
  limit 1)
