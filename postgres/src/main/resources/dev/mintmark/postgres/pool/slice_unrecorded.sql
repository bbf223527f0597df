-- Returns the name of the instance that has a value in its slice, and has granted it with this token, or will.
-- Parameters: pool_id; block_id; place; token. Locks: none. Returns no row if the value is in no slice.
select coalesce(instance, '') as instance
from mintmark.pool_claim
left join mintmark.pool_slice using (slice_id)
where pool_claim.pool_id = :pool_id
  and block_id = :block_id
  and place = :place
  and token = :token
  and slice_id is not null
