-- Counts the values in slices that are not handed out any more: of drained blocks, and excluded ones. Their instances
-- give them back, or their slices end. Parameters: pool_id. Locks: none.
select count(*) as values
from mintmark.pool_block
join mintmark.pool_claim using (pool_id, block_id)
where pool_block.pool_id = :pool_id
  and (draining or not isempty(excluded_places))
  and slice_id is not null
  and expires_at > now()
  and (draining or place <@ excluded_places)
