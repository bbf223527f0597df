-- Reads a migration.
--
-- Parameters: migration. Locks: nothing.
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
where id = :migration
