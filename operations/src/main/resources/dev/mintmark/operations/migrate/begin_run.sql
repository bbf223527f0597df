-- Notes that a run begins, and where it goes.
--
-- Parameters: migration, state. Locks: the migration's row.
update mintmark.key_migration
set
  state = :state,
  paused = false,
  run_at = now()
where id = :migration
