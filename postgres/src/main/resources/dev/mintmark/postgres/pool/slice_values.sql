-- Lists the values in a slice. Parameters: slice_id. Locks: none.
select block_id, place, token, previous_end
from mintmark.pool_claim
where slice_id = :slice_id
