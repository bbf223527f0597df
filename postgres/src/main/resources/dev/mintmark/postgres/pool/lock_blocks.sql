-- Locks the blocks of a pool: until the transaction ends no value is drawn, claimed by name for the first time, or
-- withdrawn. Parameters: pool_id. Locks: the blocks, in the order in which they were added.
select block_id
from mintmark.pool_block
where pool_id = :pool_id
order by block_id
for update
