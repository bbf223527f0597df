-- Lets nothing be drawn from the blocks of a pool for a time, and nothing that comes back be handed out before its end.
--
-- Parameters: pool_id; millis. Locks: the blocks, waiting for those who are drawing from them: what they drew is seen by
-- the statements after this one.
update mintmark.pool_block
set not_before = greatest(not_before, now() + :millis * interval '1 millisecond'), version = version + 1
where pool_id = :pool_id and removed_at is null
