-- Reads whether a copy may become the pool: this database, which it came from, has the pool still, or its departure. A
-- transaction deletes the one and writes the other. Parameters: pool_id (here), move_id. Locks: none.
select
  exists (select from mintmark.pool where pool_id = :pool_id)
    or exists (select from mintmark.pool_departure where move_id = :move_id::uuid) as may_arrive
