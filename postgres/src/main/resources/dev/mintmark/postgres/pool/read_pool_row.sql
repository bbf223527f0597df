-- Reads the row of a pool that leaves, for another database, and for how long it has been on its way. Parameters: pool_id.
-- Locks: none.
select
  to_jsonb(pool)::text as moved,
  (extract(epoch from clock_timestamp() - moving_since) * 1000)::bigint as moving_millis
from mintmark.pool
where pool_id = :pool_id
