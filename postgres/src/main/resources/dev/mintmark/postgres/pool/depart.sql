-- Deletes a pool that was copied to another database, and keeps where it went. Parameters: pool_id, name, move_id, database.
-- Locks: the rows of the pool, which the transaction has locked before.
with departed as (
  insert into mintmark.pool_departure (move_id, name, pool_id, database)
  values (:move_id::uuid, :name, :pool_id, :database)
)
delete from mintmark.pool where pool_id = :pool_id
