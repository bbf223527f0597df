-- Holds a pool's row, so that its blocks change in one session at a time. Parameters: pool_id.
-- Locks: the pool's row, until the transaction ends; claims, which refer to it, go on.
select pool_id from mintmark.pool where pool_id = :pool_id for no key update
