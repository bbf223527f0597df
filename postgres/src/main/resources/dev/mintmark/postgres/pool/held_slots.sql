-- Which of some slots of clients hold a value. Parameters: pool_id; clients and slots (arrays of one length). Locks: none.
select held.client, held.slot
from unnest(:clients::text[], :slots::integer[]) as asked (client, slot)
join mintmark.pool_claim held on held.pool_id = :pool_id and held.client = asked.client and held.slot = asked.slot
