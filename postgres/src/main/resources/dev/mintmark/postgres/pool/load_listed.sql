-- Reads the values of a list. Parameters: block_id. Locks: none.
select value
from mintmark.pool_listed
where block_id = :block_id
order by place
