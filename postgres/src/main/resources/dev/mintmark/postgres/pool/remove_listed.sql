-- Removes the values of a removed list, so that they can be listed again. Parameters: pool_id; declared. Locks: the
-- rows.
update mintmark.pool_listed
set removed = true
from mintmark.pool_block
where pool_listed.block_id = pool_block.block_id
  and pool_block.pool_id = :pool_id
  and pool_block.declared = :declared
  and pool_block.removed_at is not null
  and not pool_listed.removed
