-- A pool is settled for an epoch: from now on it grants values there, unless it is stopped. If its blocks come from another
-- pool, it is not known which of them it still has: nothing is granted or renewed until the source was asked.
-- Parameters: pool_id; epoch; stops (whether it is stopped from now on). Locks: the rows of the pool and of its supplies.
with source as (
  update mintmark.pool_source
  set until = '-infinity'
  where pool_id = :pool_id
),
supply as (
  update mintmark.pool_supply
  set until = least(until, clock_timestamp())
  where pool_id = :pool_id and until is not null
)
update mintmark.pool
set epoch = :epoch::uuid, stopped_at = case when :stops then coalesce(stopped_at, clock_timestamp()) else stopped_at end
where pool_id = :pool_id
