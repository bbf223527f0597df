-- Reads how many values of each block were drawn, for blocks that may be drawn from, with the places that are not drawn:
-- ranges without gaps between excluded_from and excluded_to (not included), ascending. Parameters: pool_id. Locks: none.
select
  block_id,
  drawn,
  version,
  array(select lower(places) from unnest(excluded_places) as excluded (places) order by 1) as excluded_from,
  array(select upper(places) from unnest(excluded_places) as excluded (places) order by 1) as excluded_to
from mintmark.pool_block
where pool_id = :pool_id and issued + withheld < size and not draining and removed_at is null
  and (not_before is null or not_before <= now())
order by block_id
