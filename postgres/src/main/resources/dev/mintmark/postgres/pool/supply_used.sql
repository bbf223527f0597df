-- Lists the claims in the source whose values are blocks of a pool. Parameters: pool_id. Locks: none.
select supply_id, value, token
from mintmark.pool_supply
where pool_id = :pool_id and state = 'used'
order by supply_id
