-- Lists the names of all pools, but not of copies that have not arrived. Parameters: none. Locks: none.
select name
from mintmark.pool
where moving_since is null or not exists (
  select from mintmark.pool_arrival
  where pool_arrival.pool_id = pool.pool_id and arrived_at is null)
order by name
