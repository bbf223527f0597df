-- Lists the names of all pools, or those of the copies that have not arrived. Parameters: arriving (which of the two).
-- Locks: none.
select name
from mintmark.pool
where :arriving = (moving_since is not null and exists (
  select from mintmark.pool_arrival
  where pool_arrival.pool_id = pool.pool_id and arrived_at is null))
order by name
