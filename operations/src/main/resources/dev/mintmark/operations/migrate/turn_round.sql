-- Sets a migration that was being rolled back to applying again: steps that were undone become pending.
--
-- Parameters: migration. Locks: the migration's row and those of its steps that were undone.
with undone as (
  update mintmark.key_migration_step
  set
    state = 'pending',
    cursor = null,
    rows_done = 0,
    started_at = null,
    done_at = null
  where migration_id = :migration
    and state = 'undone'
)
update mintmark.key_migration
set state = 'applying'
where id = :migration
