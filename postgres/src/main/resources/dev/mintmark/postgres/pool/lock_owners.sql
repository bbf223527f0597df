-- Holds the rows of owners whose claims are about to be counted. Answers those that have a row, and whether it is held
-- now: one that another session holds at the moment is passed over, so that nobody waits for a session that hangs.
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
