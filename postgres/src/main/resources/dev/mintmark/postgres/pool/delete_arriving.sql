-- Deletes the copies of a pool that has not arrived. Returns their ids: delete_values.sql deletes their values.
-- Parameters: name. Locks: the rows of the pool and of its blocks.
delete from mintmark.pool
where name = :name and exists (
  select from mintmark.pool_arrival
  where pool_arrival.pool_id = pool.pool_id and arrived_at is null)
returning pool_id
