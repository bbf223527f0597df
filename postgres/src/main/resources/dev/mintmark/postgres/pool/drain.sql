-- Drains a block, or ends that: no value of a drained block is handed out. When draining ends, the block is drawn again
-- from its beginning; values that have a row are skipped.
--
-- Parameters: pool_id; declared; draining. Locks: the block. Returns how many parts of the block changed.
update mintmark.pool_block
set draining = :draining, drawn = case when :draining then drawn else 0 end, version = version + 1
where pool_id = :pool_id and declared = :declared and removed_at is null and draining <> :draining
