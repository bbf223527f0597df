-- Moves the sequence of tokens far beyond any token that may have been drawn before the database was restored. Each jump
-- begins at the microseconds of the clock or later. So if one backup is restored twice, the tokens after the second
-- restore are greater than those after the first, which the backup does not know.
--
-- Parameters: floor (a token that was drawn, or may have been, though the sequence does not know); distance.
-- Locks: an advisory lock: of two sessions at the same time, the second would otherwise move the
-- sequence back.
select
  setval(
    'mintmark.pool_token',
    greatest(token.last_value, :floor, (extract(epoch from clock_timestamp()) * 1000000)::bigint) + :distance
  ) as token
from (
  select pg_advisory_xact_lock(hashtext('mintmark.pool_token')) is null as failed
  offset 0
) as lock
cross join lateral (
  select last_value
  from mintmark.pool_token
  where not lock.failed
) as token
