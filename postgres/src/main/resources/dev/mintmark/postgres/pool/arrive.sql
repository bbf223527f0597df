-- Makes a copy the pool, once the database that it came from has the departure. Leases that ended on the way, or end sooner than
-- the way was long, last as long again, but at most for the length of a renewal: nobody could renew them meanwhile.
-- Parameters: pool_id, move_id. Locks: the rows of the pool, of its arrival and of those claims. Several instances may do so
-- at the same time.
with arrived as (
  update mintmark.pool_arrival
  set arrived_at = clock_timestamp()
  where pool_id = :pool_id and move_id = :move_id::uuid and arrived_at is null
  returning pool_id, arrived_at
),
way as (
  select pool_id, moving_since, arrived_at, arrived_at - moving_since as length
  from arrived
  join mintmark.pool using (pool_id)
),
prolonged as (
  update mintmark.pool_claim held
  set expires_at = way.arrived_at + least(held.lease, way.length)
  from way
  where held.pool_id = way.pool_id
    and held.expires_at > way.moving_since
    and held.expires_at < way.arrived_at + least(held.lease, way.length)
)
update mintmark.pool
set moving_since = null
where pool_id in (select pool_id from way)
