-- Begins a slice without values and buckets. From its commit on no statement of another kind grants values of the pool,
-- except for those that have begun before (slice_writers.sql).
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); instance; length_millis. Locks: none beside the new row.
-- Returns the slice, its end and the time; or the state of the fence, if that is fenced or stopped.
with fence as materialized (
  select mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) as state
),
clock as materialized (
  select clock_timestamp() as at
),
slice as (
  insert into mintmark.pool_slice (pool_id, instance, usable_until)
  select :pool_id, :instance, clock.at + :length_millis * interval '1 millisecond'
  from clock
  cross join fence
  where fence.state in ('open', 'sliced')
  returning slice_id, usable_until
)
select fence.state, clock.at, slice.slice_id, slice.usable_until
from fence
cross join clock
left join slice on true
