-- Reads how many values of each block were drawn, for blocks that may be drawn from. Parameters: pool_id. Locks: none.
select block_id, drawn, issued, version
from mintmark.pool_block
where pool_id = :pool_id and drawn < size and not draining and removed_at is null
  and (not_before is null or not_before <= now())
order by block_id
