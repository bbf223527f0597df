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
  and (:client_from::text is null or client ~>=~ :client_from::text)
  and (:client_until::text is null or client ~<~ :client_until::text)
  and (:owner::text is null or owner = :owner::text)
  and (:owner_from::text is null or owner ~>=~ :owner_from::text)
  and (:owner_until::text is null or owner ~<~ :owner_until::text)
  and (:label_key::text is null or token = any (array(
    select label.token
    from mintmark.pool_claim_label as label
    where label.pool_id = :pool_id
      and label.key = :label_key::text
      and (:label::text is null or label.value = :label::text)
      and (:label_from::text is null or label.value ~>=~ :label_from::text)
      and (:label_until::text is null or label.value ~<~ :label_until::text))))
  and (expires_at is null or expires_at > now())
order by pool_claim.block_id, place
limit :limit
