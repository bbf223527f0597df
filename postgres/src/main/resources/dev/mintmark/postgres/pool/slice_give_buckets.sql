-- Gives buckets of a slice up, after every grant to their clients was recorded. Parameters: slice_id; buckets.
-- Locks: the rows.
delete from mintmark.pool_bucket
where slice_id = :slice_id and bucket = any (:buckets::integer[])
