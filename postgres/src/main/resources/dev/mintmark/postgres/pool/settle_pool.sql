-- A pool is settled for an epoch: from now on it grants values there, unless it is stopped.
-- Parameters: pool_id; epoch; stops (whether it is stopped from now on). Locks: the pool's row.
update mintmark.pool
set epoch = :epoch::uuid, stopped_at = case when :stops then coalesce(stopped_at, clock_timestamp()) else stopped_at end
where pool_id = :pool_id
