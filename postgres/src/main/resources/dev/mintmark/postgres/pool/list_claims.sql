-- Lists claims in the order of their blocks and values. Parameters: pool_id; client and owner (null: any); after_block
-- and after_place (the page starts after that value); limit. Locks: none.
select client, slot, block_id, place, owner, token, claimed_at, expires_at, previous_end
from mintmark.pool_claim
where pool_id = :pool_id
  and slice_id is null
  and (block_id, place) > (:after_block, :after_place)
  and (:client::text is null or client = :client::text)
  and (:owner::text is null or owner = :owner::text)
  and (expires_at is null or expires_at > now())
order by block_id, place
limit :limit
