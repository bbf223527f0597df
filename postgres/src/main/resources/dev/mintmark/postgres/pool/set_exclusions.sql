-- Sets what a block excludes. Excluded values that have a row keep it until they are free. The block is drawn again from
-- its beginning; values that have a row are skipped.
--
-- Parameters: pool_id; block_id; exclusions (texts of blocks); excluded_places (their places, as text).
-- Locks: the caller has locked the block (lock_blocks.sql), so that no value gets its first row or loses its row while
-- the rows are counted.
update mintmark.pool_block
set
  exclusions = :exclusions::text[],
  excluded_places = :excluded_places::int8multirange,
  withheld = places.count - issued.count,
  drawn = 0,
  version = version + 1
from (
    select coalesce(sum(upper(places) - lower(places)), 0) as count
    from unnest(:excluded_places::int8multirange) as range (places)
  ) as places
cross join (
    select count(*)
    from unnest(:excluded_places::int8multirange) as range (places)
    cross join lateral (
      select from mintmark.pool_free
      where pool_id = :pool_id and block_id = :block_id and place >= lower(places) and place < upper(places)
      union all
      select from mintmark.pool_claim
      where pool_id = :pool_id and block_id = :block_id and place >= lower(places) and place < upper(places)
      union all
      select from mintmark.pool_quarantine
      where pool_id = :pool_id and block_id = :block_id and place >= lower(places) and place < upper(places)
    ) as value
  ) as issued
where pool_block.block_id = :block_id
