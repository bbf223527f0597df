-- Makes a copy the pool, once the database that it came from has the departure, and its leases are prolonged
-- (prolong_leases.sql). Parameters: pool_id, move_id. Locks: the rows of the pool and of its arrival. Several instances may
-- do so at the same time: changes no row if another one did, or the copy is gone.
with arrived as (
  update mintmark.pool_arrival
  set arrived_at = clock_timestamp()
  where pool_id = :pool_id and move_id = :move_id::uuid and arrived_at is null
  returning pool_id
)
update mintmark.pool
set moving_since = null
where pool_id in (select pool_id from arrived)
