-- Locks a pool's row, so that its blocks and settings change in one session at a time. Parameters: name.
-- Locks: the pool's row, until the transaction ends; claims are not blocked.
select pool_id from mintmark.pool where name = :name for no key update
