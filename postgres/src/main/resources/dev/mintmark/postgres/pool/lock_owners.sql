-- Locks the rows of owners before their claims are counted. Returns the owners that have a row, and whether it is now
-- locked: a row that another session has locked is skipped, so that the claims of other owners in the batch do not
-- wait for it. Claims for that owner are sent again, with await_owners.sql.
--
-- Parameters: pool_id; owners. Locks: the rows, skipping locked ones, until the transaction ends.
with locked as materialized (
  select owner
  from mintmark.pool_owner
  where pool_id = :pool_id and owner = any (:owners::text[])
  order by owner
  for update skip locked
)
select owner, owner in (select owner from locked) as locked
from mintmark.pool_owner
where pool_id = :pool_id and owner = any (:owners::text[])
