-- Moves free values of a pool into a slice: as many as are wanted, or the share of one of the slices in force if fewer
-- are free than all of them would want. Each has the token with which it will be granted.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id; holder (a name for the rows, never used before);
--   length_millis (of the lease of the slice); wanted; start_block and start_place (as in claim.sql).
-- Locks: the slice against its end; the free rows it takes, skipping locked ones.
-- Returns the values; no row if none is free, or the slice has ended.
with slice as materialized (
  select slice_id, usable_until
  from mintmark.pool_slice
  where slice_id = :slice_id
    and usable_until > clock_timestamp()
    and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced')
  for key share
),
live as materialized (
  select count(*) as slices
  from mintmark.pool_slice
  where pool_id = :pool_id and usable_until > now()
),
share as materialized (
  select (found.count + live.slices - 1) / live.slices as count
  from live
  cross join lateral (
    select count(*)
    from (select from mintmark.pool_free where pool_id = :pool_id limit :wanted * live.slices) as free
  ) as found
  where live.slices > 0 and exists (select from slice)
),
ahead as materialized (
  select pool_free.ctid
  from mintmark.pool_free
  join mintmark.pool_block using (block_id)
  where pool_free.pool_id = :pool_id
    and (pool_free.block_id, pool_free.place) >= (:start_block, :start_place)
    and not draining
    and not place <@ excluded_places
  order by pool_free.block_id, pool_free.place
  limit coalesce((select count from share), 0)
  for update of pool_free skip locked
),
around as materialized (
  select pool_free.ctid
  from mintmark.pool_free
  join mintmark.pool_block using (block_id)
  where pool_free.pool_id = :pool_id
    and (pool_free.block_id, pool_free.place) < (:start_block, :start_place)
    and not draining
    and not place <@ excluded_places
  order by pool_free.block_id, pool_free.place
  limit coalesce((select count from share), 0) - (select count(*) from ahead)
  for update of pool_free skip locked
),
taken as (
  delete from mintmark.pool_free
  where exists (select from share) and ctid = any (array(select ctid from ahead union all select ctid from around))
  returning block_id, place, held_until
),
numbered as (
  select block_id, place, held_until, clock_timestamp() as taken_at, row_number() over () as rank
  from taken
)
insert into mintmark.pool_claim (
  pool_id, block_id, place, client, slot, token, claimed_at, lease, expires_at, previous_end, slice_id)
select
  :pool_id,
  block_id,
  place,
  :holder,
  -rank,
  nextval('mintmark.pool_token'),
  taken_at,
  :length_millis * interval '1 millisecond',
  slice.usable_until,
  held_until,
  slice.slice_id
from numbered
cross join slice
returning block_id, place, token, previous_end
