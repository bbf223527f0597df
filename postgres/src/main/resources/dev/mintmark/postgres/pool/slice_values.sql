-- Lists the values in a slice that are in it until it ends. One that was taken while the slice was renewed ends earlier,
-- until the next renewal.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id. Locks: none. Returns no row if the slice has ended,
-- or the fence is closed: the database may have lost that a value was granted.
select block_id, place, token, previous_end
from mintmark.pool_slice
join mintmark.pool_claim using (slice_id)
where slice_id = :slice_id
  and expires_at >= usable_until
  and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced')
