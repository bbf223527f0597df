-- Reads the active migration or, where none is, the last one.
--
-- Parameters: none. Locks: nothing.
select
  id,
  fingerprint,
  state,
  paused,
  started_at,
  run_at,
  ended_at,
  clock_timestamp() as read_at
from mintmark.key_migration
order by ended_at is null desc, id desc
limit 1
