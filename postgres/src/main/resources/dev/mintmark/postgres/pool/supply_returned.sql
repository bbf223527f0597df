-- Lists claims that may be released in the source. A claim without a value is known by its client alone: that program was
-- killed. Parameters: pool_id; limit. Locks: none.
select supply_id, client, value, token
from mintmark.pool_supply
where pool_id = :pool_id and state = 'returned'
order by supply_id
limit :limit
