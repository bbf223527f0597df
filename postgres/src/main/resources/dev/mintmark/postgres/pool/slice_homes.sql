-- Names the instance that grants values to the clients of each of some buckets. Parameters: pool_id; buckets.
-- Locks: none. Returns a row for each bucket that a slice in force has.
select pool_bucket.bucket, slice_id, pool_slice.instance
from mintmark.pool_bucket
join mintmark.pool_slice using (slice_id)
where pool_bucket.pool_id = :pool_id
  and pool_bucket.bucket = any (:buckets::integer[])
  and usable_until > clock_timestamp()
