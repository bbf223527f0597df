-- Counts the values of a pool by state, in one snapshot, from the rows themselves. Only how many were issued is taken
-- from the blocks, which say it: a row too few or too many shows in the sum. Parameters: name. Locks: none.
with block as (
  select pool_id, block_id, size, issued, draining
  from mintmark.pool_block
  join mintmark.pool using (pool_id)
  where pool.name = :name and removed_at is null
),
place as (
  select 'free' as state, block_id, place, draining
  from mintmark.pool_free
  join block using (pool_id, block_id)
  union all
  select 'held', block_id, place, draining
  from mintmark.pool_claim
  join block using (pool_id, block_id)
  union all
  select 'quarantined', block_id, place, draining
  from mintmark.pool_quarantine
  join block using (pool_id, block_id)
),
block_sum as (
  select
    coalesce(pg_catalog.sum(size), 0)::bigint as capacity,
    coalesce(pg_catalog.sum(size - issued) filter (where not draining), 0)::bigint as never_issued,
    coalesce(pg_catalog.sum(size - issued) filter (where draining), 0)::bigint as never_issued_draining
  from block
)
select
  capacity,
  pg_catalog.count(place) filter (where state = 'free' and not draining) as free,
  never_issued,
  pg_catalog.count(place) filter (where state = 'held') as held,
  pg_catalog.count(place) filter (where state = 'quarantined') as quarantined,
  never_issued_draining + pg_catalog.count(place) filter (where state = 'free' and draining) as draining,
  pg_catalog.count(place) - pg_catalog.count(distinct (block_id, place)) as twofold
from block_sum
left join place on true
group by capacity, never_issued, never_issued_draining
