-- Gives buckets of a slice up, after every grant to their clients was recorded.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id; buckets. Locks: the rows. Changes nothing if the
-- fence is closed, as slice_close.sql.
delete from mintmark.pool_bucket
where slice_id = :slice_id and bucket = any (:buckets::integer[])
  and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced')
