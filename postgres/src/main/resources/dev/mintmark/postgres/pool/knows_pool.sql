-- Reads whether a pool is in this database: no row if it was deleted or moved. Parameters: pool_id. Locks: none.
select pool_id from mintmark.pool where pool_id = :pool_id
