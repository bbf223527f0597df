-- Sets how many values are kept free of a pool that gets its blocks from another one. Parameters: pool_id; keep_free.
-- Locks: the row of its source.
update mintmark.pool_source
set keep_free = :keep_free
where pool_id = :pool_id and keep_free <> :keep_free
