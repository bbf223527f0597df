-- Claims in the order of their values. Parameters: pool_id; client and owner (null: any); after (a position; the
-- page starts behind it); limit. Locks: none.
select position, client, owner, token, claimed_at, expires_at
from mintmark.pool_claim
where pool_id = :pool_id
  and position > :after
  and (:client::text is null or client = :client::text)
  and (:owner::text is null or owner = :owner::text)
  and (expires_at is null or expires_at > now())
order by position
limit :limit
