-- Reads how far the steps of a migration are.
--
-- Parameters: migration. Locks: nothing.
select
  ordinal,
  phase,
  work,
  title,
  target,
  state,
  lock_tables,
  lock_modes,
  locks_held,
  rows_done,
  rows_estimated,
  started_at,
  done_at
from mintmark.key_migration_step
where migration_id = :migration
order by ordinal
