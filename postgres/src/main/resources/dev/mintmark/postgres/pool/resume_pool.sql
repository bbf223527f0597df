-- Lets a stopped pool grant values again. Parameters: pool_id. Locks: the pool's row. Changes no row if it is not stopped.
update mintmark.pool
set stopped_at = null
where pool_id = :pool_id and stopped_at is not null
