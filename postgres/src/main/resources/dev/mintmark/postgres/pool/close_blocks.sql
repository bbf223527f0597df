-- Closes the blocks of a pool until a time: no value is drawn from them, and no released value is handed out, before.
--
-- Parameters: pool_id; millis. Locks: the blocks; waits for draws in progress. The statements after this one see what
-- those have drawn.
update mintmark.pool_block
set not_before = greatest(not_before, now() + :millis * interval '1 millisecond'), version = version + 1
where pool_id = :pool_id and removed_at is null
