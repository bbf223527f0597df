-- Lets one instance at a time begin a slice or take buckets. Parameters: pool_id. Locks: the pool's row, until the
-- transaction ends; claims are not blocked.
select pool_id
from mintmark.pool
where pool_id = :pool_id
for no key update
