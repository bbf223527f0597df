-- Locks a pool that leaves, until the transaction ends: its settings, gate, notes and owners do not change. Returns no row if
-- it does not leave any more. Parameters: pool_id. Locks: the row of the pool, against every other.
select pool_id from mintmark.pool where pool_id = :pool_id and moving_since is not null for update
