-- Reads how many values of each block were drawn, for blocks that may be drawn from, with the places that are not drawn:
-- ranges without gaps between excluded_from and excluded_to (not included), ascending. The order is that of the version,
-- which another instance may have changed a moment ago. Parameters: pool_id. Locks: none.
select
  block_id,
  drawn,
  version,
  (select value_order from mintmark.pool where pool.pool_id = :pool_id) as value_order,
  array(select lower(places) from unnest(excluded_places) as excluded (places) order by 1) as excluded_from,
  array(select upper(places) from unnest(excluded_places) as excluded (places) order by 1) as excluded_to
from mintmark.pool_block
where pool_id = :pool_id and issued + withheld < size and not draining and removed_at is null
  and (not_before is null or not_before <= now())
order by block_id
