-- Returns the claim of one value, if the value is held. Parameters: pool_id; block_id; place. Locks: none.
select client, slot, block_id, place, owner, token, claimed_at, expires_at, previous_end
from mintmark.pool_claim
where pool_id = :pool_id
  and slice_id is null
  and block_id = :block_id
  and place = :place
  and (expires_at is null or expires_at > now())
