-- Lists claims in the order of their blocks and values.
--
-- Parameters: pool_id; client and owner (null: any); client_from and client_until, owner_from and owner_until (the names
--   from the first one to before the second one, by their bytes: those with a prefix; null: no bound); label_key
--   (null: any labels), label, label_from and label_until (values of this key, in the same way); after_block and
--   after_place (the page starts after that value); limit.
-- Names and labels are looked up in the indexes that V8__search.sql has made. Locks: none.
select client, slot, block_id, place, owner, token, claimed_at, expires_at, previous_end
from mintmark.pool_claim
where pool_id = :pool_id
  and slice_id is null
  and (block_id, place) > (:after_block, :after_place)
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
order by block_id, place
limit :limit
