-- Lists claims of excluded values, as list_claims.sql does with the claims of all values: index searches for each range of
-- excluded places. Parameters: as in list_claims.sql. Locks: none.
select
  client, slot, pool_claim.block_id, place, owner, token, claimed_at, expires_at, previous_end
from mintmark.pool_block
cross join lateral unnest(excluded_places) as range (places)
join mintmark.pool_claim
  on pool_claim.pool_id = :pool_id
  and pool_claim.block_id = pool_block.block_id
  and place >= lower(places)
  and place < upper(places)
where pool_block.pool_id = :pool_id
  and pool_block.removed_at is null
  and slice_id is null
  and (pool_claim.block_id, place) > (:after_block, :after_place)
  and (:client::text is null or client = :client::text)
  and (:owner::text is null or owner = :owner::text)
  and (expires_at is null or expires_at > now())
order by pool_claim.block_id, place
limit :limit
