-- Reads whether a move is complete in the database that the pool left. Parameters: move_id. Locks: none.
select true as departed from mintmark.pool_departure where move_id = :move_id::uuid
