-- Removes a block that drains and has no value that is held, rests or is on the way from one to the other: in one
-- snapshot none has a row. Its own row stays, for the history.
--
-- Parameters: pool_id; declared. Locks: the block. Answers how many blocks it is made of were removed.
update mintmark.pool_block
set removed_at = now(), version = version + 1
where pool_id = :pool_id and declared = :declared and removed_at is null and draining and issued = 0
