-- Pauses a migration: its run ends at its next transaction.
--
-- Parameters: none. Locks: the migration's row.
update mintmark.key_migration
set paused = true
where ended_at is null
  and state <> 'baking'
returning id
