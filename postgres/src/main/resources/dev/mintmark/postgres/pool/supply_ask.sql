-- Writes down that the source is asked for a value. Parameters: pool_id; epoch, seen_token (as in claim.sql); client (a name
-- that is used once). Locks: the pool against its deletion. Returns no row if the pool grants nothing.
insert into mintmark.pool_supply (pool_id, client, state, epoch)
select pool_id, :client, 'asked', epoch
from mintmark.pool
where pool_id = :pool_id and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) = 'open'
returning supply_id
