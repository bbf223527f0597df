-- Renews a slice with all its values and buckets, unless it has ended or the fence is closed. It never ends earlier than
-- before: a renewal that waited for a later one keeps the end of that one.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id; length_millis; lacking (values that the instance
--   lacks now). Locks: the slice and its values.
-- Returns the new end, the time, and how many values are in the slice; or no row.
with clock as materialized (
  select clock_timestamp() as at
),
slice as (
  update mintmark.pool_slice
  set
    usable_until = greatest(pool_slice.usable_until, clock.at + :length_millis * interval '1 millisecond'),
    lacking = :lacking
  from clock
  where slice_id = :slice_id
    and usable_until > clock.at
    and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced')
  returning slice_id, usable_until, clock.at
),
held as (
  update mintmark.pool_claim
  set expires_at = greatest(pool_claim.expires_at, slice.usable_until)
  from slice
  where pool_claim.slice_id = slice.slice_id
  returning 1
)
select at, usable_until, (select count(*) from held) as held
from slice
