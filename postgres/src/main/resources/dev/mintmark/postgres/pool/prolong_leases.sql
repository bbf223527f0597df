-- Prolongs leases of a pool that arrives, whose holders could not renew them on the way: one that ended on the way, or ends
-- within the time that the way took, has as much left after it as before it, but at most as long as the way took. So a pool
-- that is moved again and again does not keep what nobody renews. Changes some of them: run it until it changes none, first
-- for those that end later, because those that ended on the way then end later too. Parameters: pool_id; at (when the pool
-- arrives, the same in all runs); ended (whether those that ended on the way); batch (how many rows at most). Locks: those
-- rows, skipping locked ones, which another instance prolongs.
with way as (
  select moving_since, :at::timestamptz as arrived_at, :at::timestamptz - moving_since as length
  from mintmark.pool
  where pool_id = :pool_id and moving_since is not null
),
short as materialized (
  select held.ctid as row_id, way.arrived_at + least(held.expires_at - way.moving_since, way.length) as until
  from way
  join mintmark.pool_claim held
    on held.pool_id = :pool_id
    and held.expires_at > case when :ended then way.moving_since else way.arrived_at end
    and held.expires_at < way.arrived_at + case when :ended then interval '1 microsecond' else way.length end
  limit :batch
  for update of held skip locked
)
update mintmark.pool_claim
set expires_at = short.until
from short
where pool_claim.ctid = short.row_id
