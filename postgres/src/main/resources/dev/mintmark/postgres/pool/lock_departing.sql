-- Locks a pool that leaves, until the transaction ends: its settings do not change, and no notes, owners or slices are added.
-- Returns no row if it does not leave any more, or is not settled: the database may have gone back a moment ago
-- (V3__epochs.sql), and the one that it goes to does not know. Parameters: pool_id. Locks: the row of the pool, against
-- every other.
select pool_id
from mintmark.pool
where pool_id = :pool_id and moving_since is not null
  and not exists (
    select
    from (select epoch, timeline from mintmark.pool_epoch order by number desc limit 1) as latest
    where latest.epoch is distinct from pool.epoch or latest.timeline is distinct from mintmark.pool_timeline())
for update
