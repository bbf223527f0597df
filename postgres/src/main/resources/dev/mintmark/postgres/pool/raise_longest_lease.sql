-- Records a lease that is longer than any that was asked for in the pool, before a claim has it. So it is known after a
-- failover that has lost the claim. Parameters: pool_id; lease_millis. Locks: the pool's row.
update mintmark.pool
set longest_lease = greatest(longest_lease, :lease_millis * interval '1 millisecond')
where pool_id = :pool_id
