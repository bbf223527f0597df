-- Ends a slice of which every grant is recorded: its buckets are free. Values that are still in it end with its lease.
--
-- Parameters: pool_id; epoch, seen_token (as in claim.sql); slice_id. Locks: the slice. Changes nothing if the fence is
-- closed: a database that went back may have given the id to another slice.
delete from mintmark.pool_slice
where slice_id = :slice_id
  and mintmark.pool_fence(:pool_id, :epoch::uuid, :seen_token) in ('open', 'sliced')
