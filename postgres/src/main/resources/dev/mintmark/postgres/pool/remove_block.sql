-- Removes a drained block without values that are held, quarantined or moving from one to the other: in one snapshot
-- none has a row. The row of the block stays, for the history.
--
-- Parameters: pool_id; declared. Locks: the block. Returns how many parts of the block were removed.
update mintmark.pool_block
set removed_at = now(), version = version + 1
where pool_id = :pool_id and declared = :declared and removed_at is null and draining and issued = 0
