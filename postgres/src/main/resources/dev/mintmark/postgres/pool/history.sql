-- Lists claims that have ended and claims that are held, the latest first.
--
-- Parameters: pool_id; block_id and place, client, owner (null: any); at (null: at any time); before_token (only
-- smaller tokens: the next page); limit. Locks: none.
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
  and (:owner::text is null or owner = :owner::text)
  and (:at::timestamptz is null
    or (claimed_at <= :at::timestamptz and (ended_at is null or ended_at > :at::timestamptz)))
order by token desc
limit :limit
