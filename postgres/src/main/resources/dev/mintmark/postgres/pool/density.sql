-- Counts the values of ranges of places by state, in one snapshot, as blocks.sql counts those of whole blocks. It reads
-- the rows of the ranges and no other: what was never issued costs nothing, however much it is.
-- Parameters: pool_id; parts, blocks, from and to (arrays: for each range the part that it belongs to, its block, its first
-- place and the place after its last). Locks: none.
with counted as (
  select
    range.part,
    block.draining,
    coalesce(block.not_before > pg_catalog.now(), false) as closed,
    held.count as held,
    in_quarantine.count as quarantined,
    free.count as free,
    free.excluded as free_excluded,
    range.to_place - range.from_place - held.count - in_quarantine.count - free.count - withheld.count as never
  from rows from (
    pg_catalog.unnest(:parts::integer[]),
    pg_catalog.unnest(:blocks::integer[]),
    pg_catalog.unnest(:from::bigint[]),
    pg_catalog.unnest(:to::bigint[])) as range (part, block_id, from_place, to_place)
  join mintmark.pool_block block on block.block_id = range.block_id and block.removed_at is null
  cross join lateral (
    select pg_catalog.count(*) as count, pg_catalog.count(*) filter (where place <@ block.excluded_places) as excluded
    from mintmark.pool_claim
    where pool_id = :pool_id and pool_claim.block_id = range.block_id and place >= from_place and place < to_place) as held
  cross join lateral (
    select pg_catalog.count(*) as count, pg_catalog.count(*) filter (where place <@ block.excluded_places) as excluded
    from mintmark.pool_quarantine
    where pool_id = :pool_id and pool_quarantine.block_id = range.block_id and place >= from_place and place < to_place)
    as in_quarantine
  cross join lateral (
    select pg_catalog.count(*) as count, pg_catalog.count(*) filter (where place <@ block.excluded_places) as excluded
    from mintmark.pool_free
    where pool_id = :pool_id and pool_free.block_id = range.block_id and place >= from_place and place < to_place) as free
  cross join lateral (
    select coalesce(pg_catalog.sum(pg_catalog.upper(places) - pg_catalog.lower(places)), 0)
      - held.excluded - in_quarantine.excluded - free.excluded as count
    from pg_catalog.unnest(
      block.excluded_places * pg_catalog.int8multirange(pg_catalog.int8range(from_place, to_place))) as excluded (places))
    as withheld
)
select
  part,
  pg_catalog.sum(held) as held,
  pg_catalog.sum(quarantined + case when closed and not draining then never else 0 end) as quarantined,
  pg_catalog.sum(
    case when draining then 0 else free - free_excluded + case when closed then 0 else never end end) as free,
  pg_catalog.sum(case when draining or closed then 0 else never end) as never_issued,
  pg_catalog.sum(case when draining then free + never else free_excluded end) as draining
from counted
group by part
order by part
