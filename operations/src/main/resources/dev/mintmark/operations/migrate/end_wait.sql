-- Notes that a run no longer waits.
--
-- Parameters: migration. Locks: the row of the wait.
delete from mintmark.key_migration_wait
where migration_id = :migration
