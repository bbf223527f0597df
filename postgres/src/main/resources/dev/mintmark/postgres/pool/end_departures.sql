-- Ends the departures of pools whose move was given up: the program that moves a pool has its row locked, except for a
-- moment after it has begun. A departure that is ahead of the clock began before the clock stepped back. Parameters: pool_id (null: all pools); millis (how long that moment may last). Locks: the
-- rows of those pools; passes over locked ones.
with left_behind as (
  select pool_id
  from mintmark.pool
  where (moving_since < clock_timestamp() - :millis * interval '1 millisecond' or moving_since > clock_timestamp())
    and (:pool_id::integer is null or pool_id = :pool_id)
    and not exists (
      select from mintmark.pool_arrival
      where pool_arrival.pool_id = pool.pool_id and arrived_at is null)
  for update skip locked
)
update mintmark.pool
set moving_since = null
where pool_id in (select pool_id from left_behind)
