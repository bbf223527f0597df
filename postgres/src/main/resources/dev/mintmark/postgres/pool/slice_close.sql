-- Ends a slice of which every grant is recorded: its buckets are free. Values that are still in it end with its lease.
-- Parameters: slice_id. Locks: the slice.
delete from mintmark.pool_slice
where slice_id = :slice_id
