-- Notes a step of a migration that begins.
--
-- Parameters: migration, ordinal (from 1), phase, work, title, target, apply and undo (the statements), lock_tables,
-- lock_modes, locks_held (as many as one another), rows, wal_bytes, disk_bytes, seconds. Locks: its row.
insert into mintmark.key_migration_step (
  migration_id, ordinal, phase, work, title, target, apply, undo, lock_tables, lock_modes, locks_held,
  rows_estimated, wal_bytes, disk_bytes, seconds
)
values (
  :migration, :ordinal, :phase, :work, :title, :target, :apply, :undo, :lock_tables, :lock_modes, :locks_held,
  :rows, :wal_bytes, :disk_bytes, :seconds
)
