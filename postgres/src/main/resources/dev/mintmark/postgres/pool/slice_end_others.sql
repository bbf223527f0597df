-- Ends the slices of a pool that nobody has renewed: their buckets are free. Their values have ended by themselves.
--
-- Parameters: pool_id. Locks: the slices. Waits for statements in progress that grant values of them for good
-- (slice_journal.sql), which the statements after this one see; a renewal in progress keeps its slice.
delete from mintmark.pool_slice
where pool_id = :pool_id and usable_until <= clock_timestamp()
