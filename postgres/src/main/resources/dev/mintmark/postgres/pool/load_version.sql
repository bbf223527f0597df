-- The version of a block, to be named by whoever gives a value its first row. Parameters: block_id. Locks: none.
select version
from mintmark.pool_block
where block_id = :block_id and removed_at is null
