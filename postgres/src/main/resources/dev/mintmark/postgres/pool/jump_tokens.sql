-- Lets tokens go on far beyond any that may have been drawn since the state that the database was set back to.
--
-- Parameters: none. Locks: an advisory lock, since of two who jump at once the second would go back to where the first
-- started from.
select setval('mintmark.pool_token', token.last_value + 1000000000000) as token
from (
  select pg_advisory_xact_lock(hashtext('mintmark.pool_token')) is null as failed
  offset 0
) as lock
cross join lateral (
  select last_value
  from mintmark.pool_token
  where not lock.failed
) as token
