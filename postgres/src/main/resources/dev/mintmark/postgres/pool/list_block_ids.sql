-- Lists the blocks of a pool, removed ones too, in the order in which they were added. Parameters: pool_id. Locks: none.
select block_id from mintmark.pool_block where pool_id = :pool_id order by block_id
