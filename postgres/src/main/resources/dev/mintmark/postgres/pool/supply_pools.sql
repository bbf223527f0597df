-- Lists the pools that get their blocks from another one. Parameters: none. Locks: none.
select name
from mintmark.pool_source
join mintmark.pool using (pool_id)
order by name
