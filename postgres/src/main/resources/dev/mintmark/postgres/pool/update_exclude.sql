-- Records the values that a pool does not hand out. Parameters: pool_id; exclude. Locks: the pool's row.
update mintmark.pool
set exclude = :exclude::text[]
where pool_id = :pool_id
