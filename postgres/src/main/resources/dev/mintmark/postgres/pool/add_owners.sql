-- Gives owners the rows that are held while their claims are counted. Not in the transaction that counts: whoever else
-- adds one of them meanwhile would wait for its end.
--
-- Parameters: pool_id; owners. Locks: none that outlasts it.
insert into mintmark.pool_owner (pool_id, owner)
select pool.pool_id, owner
from mintmark.pool
cross join unnest(:owners::text[]) as asked (owner)
where pool.pool_id = :pool_id
order by owner
on conflict (pool_id, owner) do nothing
