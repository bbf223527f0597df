-- Lists claims that have ended and claims that are held, the latest first.
--
-- Parameters: pool_id; block_id and place, client, owner (null: any); client_from and client_until, owner_from and
--   owner_until, label_key, label, label_from and label_until (as in list_claims.sql); at (null: at any time); before_token
--   (only smaller tokens: the next page); limit.
-- Past claims have no index by client or owner, which each release would pay for: it reads claims from the latest one on
-- until the page is full. Locks: none.
select client, slot, block_id, place, owner, token, claimed_at, ended_at, ending
from (
  select client, slot, block_id, place, owner, token, claimed_at, ended_at, ending
  from mintmark.pool_history
  where pool_id = :pool_id
  union all
  select client, slot, block_id, place, owner, token, claimed_at,
    case when expires_at <= now() then expires_at end,
    case when expires_at <= now() then 'expired' end
  from mintmark.pool_claim
  where pool_id = :pool_id
) as tenure
where token < :before_token
  and (:block_id::integer is null or (block_id = :block_id::integer and place = :place::bigint))
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
  and (:at::timestamptz is null
    or (claimed_at <= :at::timestamptz and (ended_at is null or ended_at > :at::timestamptz)))
order by token desc
limit :limit
