-- Begins or ends the draining of a block: while it drains none of its values is handed out. A block that is drained no
-- more is drawn from anew, from its beginning: what has a row is passed over.
--
-- Parameters: pool_id; declared; draining. Locks: the block. Answers how many blocks it is made of changed.
update mintmark.pool_block
set draining = :draining, drawn = case when :draining then drawn else 0 end, version = version + 1
where pool_id = :pool_id and declared = :declared and removed_at is null and draining <> :draining
