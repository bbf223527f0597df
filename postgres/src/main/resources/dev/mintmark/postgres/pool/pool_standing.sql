-- Reads how a pool stands in this database. No row if it is not here. Parameters: name. Locks: none.
select
  pool.pool_id,
  pool_arrival.move_id::text as move_id,
  pool_arrival.source,
  pool_arrival.source_pool_id,
  pool_arrival.pool_id is not null and pool_arrival.arrived_at is null as arriving
from mintmark.pool
left join mintmark.pool_arrival on pool_arrival.pool_id = pool.pool_id
where name = :name
