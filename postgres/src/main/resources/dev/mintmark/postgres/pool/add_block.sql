-- Adds a block behind the blocks a pool has, with all its values free but the excluded ones.
-- Parameters: pool_id; addresses or numbers (the other is null); size; excluded_from and excluded_to
--   (arrays: runs of places in the block that are not handed out, the end of each excluded).
-- Locks: the caller holds the pool's row, or has just created it.
-- Fails with 23P01 where it overlaps another block of the pool.
with block as (
  insert into mintmark.pool_block (pool_id, first_position, size, addresses, numbers)
  select
    :pool_id,
    coalesce((
      select max(first_position + size) from mintmark.pool_block where pool_id = :pool_id), 0),
    :size,
    :addresses::cidr,
    :numbers::int8range
  returning first_position, size
)
insert into mintmark.pool_free (pool_id, position)
select :pool_id, block.first_position + place.place
from block
cross join generate_series(0, block.size - 1) as place (place)
where not exists (
  select from unnest(:excluded_from::bigint[], :excluded_to::bigint[]) as excluded (from_place, to_place)
  where place.place >= excluded.from_place and place.place < excluded.to_place)
