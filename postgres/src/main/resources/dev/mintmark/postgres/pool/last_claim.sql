-- Returns the last claim before a value, in the order of blocks and values. Parameters: pool_id; before_block and
-- before_place. Locks: none.
select client, slot, block_id, place, owner, token, claimed_at, expires_at, previous_end
from mintmark.pool_claim
where pool_id = :pool_id
  and slice_id is null
  and (block_id, place) < (:before_block, :before_place)
  and (expires_at is null or expires_at > pg_catalog.now())
order by block_id desc, place desc
limit 1
