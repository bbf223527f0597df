-- Reads the version of a block, which a statement names that gives a value its first row (optimistic lock: refill.sql).
-- Parameters: block_id. Locks: none.
select version
from mintmark.pool_block
where block_id = :block_id and removed_at is null
