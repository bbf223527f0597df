-- Begins to move a pool away: nothing is granted any more. Parameters: pool_id. Locks: the row of the pool; it waits for
-- a program that moves the pool already.
update mintmark.pool
set moving_since = clock_timestamp()
where pool_id = :pool_id and not exists (
  select from mintmark.pool_arrival
  where pool_arrival.pool_id = pool.pool_id and arrived_at is null)
