-- Moves the sequence of tokens far beyond those of another database, unless it is there already. Far, because of what other
-- sessions draw meanwhile: the sequence must not be moved back. Parameters: floor. Locks: an advisory lock, as
-- jump_tokens.sql does.
select setval('mintmark.pool_token', :floor + 1000000) as token
from (
  select pg_advisory_xact_lock(hashtext('mintmark.pool_token')) is null as failed
  offset 0
) as lock
cross join lateral (
  select last_value
  from mintmark.pool_token
  where not lock.failed
) as token
where token.last_value <= :floor
