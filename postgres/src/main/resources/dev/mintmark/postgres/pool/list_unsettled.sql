-- Lists the pools that are not settled for the latest epoch. Parameters: none. Locks: none.
select pool_id, name
from mintmark.pool
where epoch is distinct from (select epoch from mintmark.pool_epoch order by number desc limit 1)
order by name
