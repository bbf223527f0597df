-- Adds the rows of owners, which are locked while claims of the owners are counted. Runs outside of the transaction
-- that counts: another session that adds one of the rows meanwhile would wait for the end of that transaction.
--
-- Parameters: pool_id; owners. Locks: none after the statement.
insert into mintmark.pool_owner (pool_id, owner)
select pool.pool_id, owner
from mintmark.pool
cross join unnest(:owners::text[]) as asked (owner)
where pool.pool_id = :pool_id
order by owner
on conflict (pool_id, owner) do nothing
