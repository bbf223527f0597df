-- Locks a pool's row, so that its blocks and settings change in one session at a time; not that of a copy that has not
-- arrived. Parameters: name.
-- Locks: the pool's row, until the transaction ends; claims are not blocked.
select pool_id from mintmark.pool where name = :name and not exists (
  select from mintmark.pool_arrival
  where pool_arrival.pool_id = pool.pool_id and arrived_at is null)
for no key update
