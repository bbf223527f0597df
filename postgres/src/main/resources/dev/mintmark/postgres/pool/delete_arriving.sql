-- Deletes the copy of a pool that one move has left, unless it has arrived. Returns its id: delete_values.sql deletes its
-- values. Parameters: move_id. Locks: its arrival, as arrive.sql does, and the rows of the pool and of its blocks.
with arriving as materialized (
  select pool_id
  from mintmark.pool_arrival
  where move_id = :move_id::uuid and arrived_at is null
  for update
)
delete from mintmark.pool
where pool_id in (select pool_id from arriving)
returning pool_id
