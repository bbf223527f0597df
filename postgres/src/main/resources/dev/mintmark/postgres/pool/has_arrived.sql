-- Reads whether a database has the pool that a move has brought. Parameters: pool_id, move_id. Locks: none.
select true as arrived
from mintmark.pool_arrival
where pool_id = :pool_id and move_id = :move_id::uuid and arrived_at is not null
