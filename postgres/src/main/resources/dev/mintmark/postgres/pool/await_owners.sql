-- Locks the rows of owners before their claims are counted, like lock_owners.sql, but waits for a row that another
-- session has locked. Sessions get the row in the order in which they began to wait. Returns the owners that have a
-- row.
--
-- Parameters: pool_id; owners. Locks: the rows, in the order of their names, until the transaction ends.
select owner, true as locked
from mintmark.pool_owner
where pool_id = :pool_id and owner = any (:owners::text[])
order by owner
for update
