-- Prolongs leases of a pool that arrives, whose holders could not renew them on the way: those that ended on the way, or end
-- sooner than the way was long, last as long again, but at most for the length of a renewal. Changes some of them: run it
-- until it changes none. Parameters: pool_id; at (when the pool arrives, the same in all runs); batch (how many rows at
-- most). Locks: those rows, skipping locked ones, which another instance prolongs.
with way as (
  select moving_since, :at::timestamptz as arrived_at, :at::timestamptz - moving_since as length
  from mintmark.pool
  where pool_id = :pool_id and moving_since is not null
),
short as materialized (
  select held.ctid as row_id, way.arrived_at + least(held.lease, way.length) as until
  from way
  join mintmark.pool_claim held
    on held.pool_id = :pool_id and held.expires_at > way.moving_since
    and held.expires_at < way.arrived_at + way.length
    and held.expires_at < way.arrived_at + least(held.lease, way.length)
  limit :batch
  for update of held skip locked
)
update mintmark.pool_claim
set expires_at = short.until
from short
where pool_claim.ctid = short.row_id
