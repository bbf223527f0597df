-- The claim of one value, if it is held. Parameters: pool_id; position. Locks: none.
select position, client, owner, token, claimed_at, expires_at
from mintmark.pool_claim
where pool_id = :pool_id
  and position = :position
  and (expires_at is null or expires_at > now())
